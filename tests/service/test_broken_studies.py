"""Studies that are damaged in the storage: each is shown as such, and none spoils a list."""

import contextlib
import json
import sqlite3
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

import counsel as cs
from service.browser import LONGEST, person, service

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)

_POLICY = json.dumps({"type": "random", "unheard of": 1})
_DAMAGE = {
    "space": "UPDATE studies SET space = '{' WHERE name = 'space'",
    "policy": f"UPDATE studies SET policy = '{_POLICY}', seal = NULL WHERE name = 'policy'",
    "fact": "UPDATE outcomes SET value = 99 WHERE study_id = 4",
}


def test_a_broken_study_is_shown_as_broken_and_breaks_no_list(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "studies.db"
    for name in ("whole", *_DAMAGE):
        space = cs.Space(x=cs.Float(0, 1))
        study = cs.create_study(space, name=name, policy="random", storage=f"sqlite:///{file}")
        study.tell({"x": 0.5}, 1.0)
    with contextlib.closing(sqlite3.connect(file)) as database:
        for change in _DAMAGE.values():
            assert database.execute(change).rowcount == 1
        database.commit()
    with (
        service("serve", "--storage", f"sqlite:///{file}", folder=tmp_path) as url,
        person(browser, url) as page,
        httpx.Client(base_url=f"{url}/api/v1/", timeout=60) as http,
    ):
        listed = http.get("studies").json()
        assert [each["name"] for each in listed] == ["whole", *_DAMAGE]
        for name in _DAMAGE:
            found = http.get(f"studies/{name}/best")
            assert found.status_code == (422 if name == "policy" else 503), found.text
            assert name in found.json()["detail"].lower()
        assert http.get("studies/whole/best").json()["value"] == 1.0
        assert http.get("health").status_code == 200
        page.goto("/")
        expect(page.get_by_text("1 trial; policy random")).to_be_visible()
        expect(page.locator(".text-negative")).to_have_count(len(_DAMAGE))
        expect(page.get_by_text("from a backup")).to_have_count(2)
