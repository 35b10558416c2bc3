"""The widget: by itself, and in a real JupyterLab in a browser."""

import json
import os
import re
import secrets
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import counsel as cs

pytest.importorskip("anywidget", reason="anywidget is not installed")

from counsel.integrations.notebook import Decide, decide
from service.browser import chromium

pytestmark = pytest.mark.xdist_group("jupyter")  # starts programs: begun early
BOX = cs.Space(x=cs.Float(0, 1), k=cs.Int(1, 9), c=cs.Categorical(["u", "v"]))


def new_study(**options: Any) -> cs.Study:
    study = cs.create_study(BOX, policy="v-ucb", seed=0, **options)
    for i in range(6):
        study.tell({"x": i / 5, "k": i + 1, "c": "uv"[i % 2]}, i / 5)
    return study


def press(widget: Decide, **request: Any) -> None:
    widget._act(widget, request, [])


def test_it_shows_the_proposal_and_why() -> None:
    study = new_study()
    widget = decide(study, actor="ann")
    (proposal,) = study.pending
    assert widget.proposal["values"] == proposal.values == widget.point
    assert widget.proposal["why"]["sentence"].endswith(".")
    assert {bar["parameter"] for bar in widget.proposal["why"]["bars"]} == {"x", "k", "c"}
    assert [each["kind"] for each in widget.inputs] == ["number", "whole", "choice"]
    assert [each.actor for each in study.shown] == ["ann"]


def test_moving_a_slider_shows_what_is_believed_there() -> None:
    widget = decide(new_study())
    before = widget.belief
    widget.point = {"x": 0.25, "k": 2, "c": "u"}
    assert widget.belief["prediction"] != before["prediction"]
    assert widget.belief["sentence"]
    widget.point = {"x": 0.25, "k": 2, "c": "w"}
    assert "c: got 'w'" in widget.belief["sentence"]


def test_every_button_is_a_fact() -> None:
    study = new_study()
    widget = decide(study, actor="ann")
    press(widget, verb="reject", reason="unsafe")
    assert [(each.kind, each.reason) for each in study.decisions] == [("reject", "unsafe")]
    widget.point = {"x": 0.25, "k": 2, "c": "u"}
    press(widget, verb="override", reason="mine")
    assert widget.proposal["decided"] == "override by ann"
    press(widget, verb="tell", outcomes={"objective": 1.25})
    assert study.observations[-1].values == {"x": 0.25, "k": 2, "c": "u"}
    press(widget, verb="accept")
    press(widget, verb="tell", outcomes={})
    assert "Give one number" in widget.message
    press(widget, verb="dance")
    assert "Use accept, override, reject or tell" in widget.message
    assert len(study.observations) == 7


def test_arms_are_chosen_from_a_list() -> None:
    study = cs.create_study(cs.Arms([[0.0], [1.0]], names=["x"]), policy="random")
    (input_,) = decide(study).inputs
    assert input_["choices"] == [{"x": 0.0}, {"x": 1.0}]


# ---- in a browser --------------------------------------------------------------------------------

CELL = """
import counsel as cs
from counsel.integrations.notebook import decide
study = cs.load_study("tea", "{address}")
decide(study, actor="ann")
"""


@contextmanager
def jupyter(folder: Path) -> Iterator[tuple[str, str]]:
    """A JupyterLab on a free port of this machine; its address and token."""
    import anywidget

    # Where its pages and the widget's are, also when packages are borrowed from elsewhere.
    share = next(
        parent / "share" / "jupyter"
        for parent in Path(anywidget.__file__).parents
        if (parent / "share" / "jupyter" / "lab").is_dir()
    )
    token = secrets.token_hex(16)
    environment = {
        **os.environ,
        "JUPYTER_PATH": str(share),
        "JUPYTERLAB_DIR": str(share / "lab"),
        "JUPYTER_TOKEN": token,
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
    }
    options = ["--no-browser", "--ip=127.0.0.1", "--port=0", "--ServerApp.port_retries=0"]
    options += ["--allow-root", f"--ServerApp.root_dir={folder}", "--LabApp.collaborative=False"]
    options += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with (folder / "jupyter.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + 120
        while True:
            found = list((folder / "runtime").glob("jpserver-*.json"))
            if found and found[0].read_text():
                url = json.loads(found[0].read_text())["url"]
                break
            assert process.poll() is None, (folder / "jupyter.log").read_text()
            assert time.monotonic() < deadline, (folder / "jupyter.log").read_text()
            time.sleep(0.1)
        while True:
            try:
                urllib.request.urlopen(f"{url}api?token={token}", timeout=5).read()
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.2)
        yield url, token
    finally:
        process.terminate()
        process.wait(timeout=60)


def test_a_person_decides_in_a_notebook(tmp_path: Path) -> None:
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    address = f"sqlite:///{tmp_path / 'lab.db'}"
    study = new_study(name="tea", storage=address)
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "id": "one",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": CELL.format(address=address),
            }
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "tea.ipynb").write_text(json.dumps(notebook))
    with jupyter(tmp_path) as (url, token), chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(f"{url}lab/tree/tea.ipynb?token={token}")
        page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
        page.get_by_text(re.compile(r"\| Idle$")).first.wait_for()  # the kernel is connected
        page.locator(".jp-Notebook .cm-content").first.click()
        page.keyboard.press("Shift+Enter")
        page.get_by_text(re.compile(r"^Proposal p\d+$")).wait_for()
        mine = page.locator(".counsel-mine-prediction")
        before = mine.inner_text()
        assert before.startswith("predicted")
        slider = page.locator("input[data-parameter=x]")
        slider.evaluate(
            "s => { s.value = 20; s.dispatchEvent(new Event('input'));"
            " s.dispatchEvent(new Event('change')); }"
        )
        page.wait_for_function(
            "before => document.querySelector('.counsel-mine-prediction').innerText !== before",
            arg=before,
        )
        page.get_by_role("button", name="Try mine instead").click()
        page.get_by_text("override by ann").wait_for()
        page.locator("input[data-outcome=objective]").fill("0.75")
        page.get_by_role("button", name="Tell").click()
        page.get_by_text(re.compile("told")).wait_for()
    (decision,) = study.decisions
    assert (decision.kind, decision.actor) == ("override", "ann")
    assert decision.values is not None
    assert decision.values["x"] == pytest.approx(0.1)
    assert study.observations[-1].outcomes == {"objective": 0.75}
