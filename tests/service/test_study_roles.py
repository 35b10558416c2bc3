"""Roles in single studies: every route of the interface, for everybody; an owner of one study is
nobody in another.

The routes are read from the application, so that a new one is in the matrix, or fails here until it
is said what it takes.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import counsel as cs
from counsel.errors import InvalidInput, NotFound
from counsel.service.app import create_app
from counsel.service.security.authority import NotAllowed, rule_for
from counsel.service.security.middleware import Limits
from counsel.service.security.tokens import ROLES, Tokens
from counsel.storage.ledger import provided
from counsel.storage.sql import SqlStorage
from service.conftest import running

BOX = cs.Space(x=cs.Float(0, 1))
# What everything takes that is not here: reading takes a viewer, changing takes a participant.
_TAKES = {
    ("post", "/studies"): "owner",
    ("delete", "/studies/{name}"): "owner",
    ("get", "/live"): None,
    ("get", "/health"): None,
    ("get", "/policies"): "none",
    ("get", "/schema"): "none",
    ("get", "/studies"): "none",
    ("post", "/studies/{name}/archivals"): "owner",
}
_READING_BY_POST = (
    "/explanations",
    "/what-if",
    "/predictions",
    "/chances",
    "/weights",
    "/advice",
    "/outlook",
    "/safe-set",
)
_PATHS = create_app(pages=False).openapi()["paths"]
ROUTES = [(m, p.removeprefix("/api/v1")) for p, methods in _PATHS.items() for m in methods]
# (role everywhere, role in "here", role in "there"); "" has no token.
PEOPLE = [
    ("", "", ""),
    ("none", "none", "none"),
    ("none", "viewer", "owner"),
    ("none", "participant", "owner"),
    ("none", "owner", "none"),
    ("none", "none", "owner"),
    ("viewer", "viewer", "viewer"),
    ("participant", "participant", "participant"),
    ("owner", "owner", "owner"),
    ("owner", "none", "owner"),
    ("owner", "viewer", "owner"),
    ("viewer", "owner", "none"),
]


def takes(method: str, path: str) -> str | None:
    if (method, path) in _TAKES:
        return _TAKES[method, path]
    reads = method == "get" or path.endswith(_READING_BY_POST)
    return "viewer" if reads else "participant"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Tokens]]:
    url = f"sqlite:///{tmp_path_factory.mktemp('roles') / 'studies.db'}"
    for name in ("here", "there"):
        cs.create_study(BOX, name=name, policy="random", storage=url).ask()
    tokens = Tokens(url)
    with running(storage=url, tokens=tokens, limits=Limits(rate=1e6, burst=1e6)) as address:
        yield f"{address}/api/v1", tokens


def entering(
    tokens: Tokens, everywhere: str, here: str, there: str, name: str = "ann"
) -> dict[str, str]:
    """The headers of somebody with these roles."""
    if not everywhere:
        return {}
    studies = {"here": here, "there": there}
    _, text = tokens.create(
        name, everywhere, studies={s: r for s, r in studies.items() if r != everywhere}
    )
    return {"Authorization": f"Bearer {text}"}


@pytest.mark.parametrize("person", PEOPLE, ids=[" ".join(p) or "nobody" for p in PEOPLE])
def test_every_route_for_everybody_in_each_study(
    place: tuple[str, Tokens], person: tuple[str, str, str]
) -> None:
    """A study that somebody has no part in is answered for as one that does not exist."""
    url, tokens = place
    with httpx.Client(base_url=url, headers=entering(tokens, *person), timeout=60) as http:
        for method, path in ROUTES:
            if "{name}" not in path:
                found = http.request(method, path, json={}).status_code
                assert allowed(found) == expected(takes(method, path), person[0]), (method, path)
                continue
            for study, role in zip(("here", "there"), person[1:], strict=True):
                # Facts that there are none of: what is allowed changes nothing.
                address = path.format(name=study, proposal="p999", observation="o999")
                if method == "delete" and path == "/studies/{name}" and role == "owner":
                    continue  # below, with a study to lose
                found = http.request(method, address, json={"n": 0}).status_code
                assert allowed(found, part=role != "none") == expected(takes(method, path), role), (
                    method,
                    address,
                    found,
                )


def allowed(status: int, part: bool = True) -> bool:
    assert status < 500
    return status not in (401, 403) and (part or status != 404)


def expected(needed: str | None, role: str) -> bool:
    if needed is None:
        return True
    return bool(role) and ROLES.index(role) >= ROLES.index(needed)  # type: ignore[arg-type]


def test_an_owner_of_one_study_is_nobody_in_another(place: tuple[str, Tokens]) -> None:
    url, tokens = place
    headers = entering(tokens, "none", "owner", "none", name="olga")
    with httpx.Client(base_url=url, headers=headers, timeout=60) as http:
        assert [study["name"] for study in http.get("/studies").json()] == ["here"]
        told = http.post("/studies/here/observations", json={"values": {"x": 0.5}, "value": 1})
        assert (told.status_code, told.json()["actor"]) == (201, "olga")
        other = http.get("/studies/there")
        missing = http.get("/studies/nowhere")
        assert other.status_code == missing.status_code == 404
        assert other.json()["detail"].replace("there", "") == missing.json()["detail"].replace(
            "nowhere", ""
        )
        made = http.post("/studies", json={"name": "new", "parameters": [{"name": "x"}]})
        assert made.status_code == 403


def test_names_of_studies_are_not_told_to_strangers(place: tuple[str, Tokens]) -> None:
    url, tokens = place
    with httpx.Client(
        base_url=url, headers=entering(tokens, "owner", "owner", "none"), timeout=60
    ) as http:
        for method in ("get", "delete"):
            said = http.request(method, "/studies/nowhere")
            assert said.status_code == 404
            assert "'there'" not in said.text


def test_an_owner_of_one_study_deletes_it_and_the_role_goes_with_it(
    place: tuple[str, Tokens],
) -> None:
    """Another study of the same name, made later, is not theirs."""
    url, tokens = place
    storage = SqlStorage(str(tokens._database.engine.url))
    cs.create_study(BOX, name="own", policy="random", storage=storage)
    made, text = tokens.create("olga", studies={"own": "owner"})
    headers = {"Authorization": f"Bearer {text}"}
    assert httpx.delete(f"{url}/studies/own", headers=headers).status_code == 204
    cs.create_study(BOX, name="own", policy="random", storage=storage)
    found = tokens.valid({made.id})[made.id]
    assert dict(found.studies) == {}
    assert httpx.get(f"{url}/studies/own", headers=headers).status_code == 404
    storage.delete("own")
    storage.close()


def test_a_role_is_given_and_taken_while_the_token_is_in_use(place: tuple[str, Tokens]) -> None:
    url, tokens = place
    made, text = tokens.create("nora")
    headers = {"Authorization": f"Bearer {text}"}

    def status() -> int:
        return httpx.post(f"{url}/studies/here/proposals", json={}, headers=headers).status_code

    assert status() == 404
    tokens.grant(made.id, "here", "viewer")
    assert status() == 403
    tokens.grant(made.id, "here", "participant")
    assert status() == 201
    tokens.grant(made.id, "here", None)
    assert status() == 404


def test_what_is_not_a_role_or_a_study_is_refused(place: tuple[str, Tokens]) -> None:
    _, tokens = place
    before = len(tokens.all())
    made: Callable[..., Any] = tokens.create
    for studies, error in (({"here": "king"}, InvalidInput), ({"nowhere": "owner"}, NotFound)):
        with pytest.raises(error):
            made("ann", studies=studies)
    assert len(tokens.all()) == before  # all of it, or nothing
    with pytest.raises(NotFound, match="no token"):
        tokens.grant("000000000000", "here", "owner")


def test_agents_and_people_are_told_apart_in_the_history(
    place: tuple[str, Tokens], tmp_path: Path
) -> None:
    """By their names, wherever those are read; nobody's token can have the other kind's."""
    url, tokens = place
    _, text = tokens.create("tuner", "participant", agent=True)
    point = {"values": {"x": 0.5}, "value": 1, "actor": "ann"}
    told = httpx.post(
        f"{url}/studies/here/observations", json=point, headers={"Authorization": f"Bearer {text}"}
    )
    assert told.json()["actor"] == "agent:tuner"
    study = cs.load_study("here", str(tokens._database.engine.url))
    assert study.facts[-1].actor == "agent:tuner"  # type: ignore[union-attr]
    with pytest.raises(InvalidInput, match="agent"):
        tokens.create("agent:tuner", "participant")


def test_a_rejection_stands_until_its_author_or_an_owner_takes_it_back(
    place: tuple[str, Tokens],
) -> None:
    url, tokens = place
    people = {
        name: entering(tokens, "none", role, "none", name=name)
        for name, role in (("rita", "participant"), ("paul", "participant"), ("otto", "owner"))
    }

    def post(who: str, path: str, **body: Any) -> httpx.Response:
        address = f"{url}/studies/here/{path}"
        return httpx.post(address, json=body, headers=people[who], timeout=60)

    def rejected() -> tuple[str, str]:
        proposal = post("rita", "proposals").json()[0]["id"]
        made = post("rita", f"proposals/{proposal}/decision", decision="reject")
        return proposal, made.json()["id"]

    proposal, decision = rejected()
    for refused in (
        post("paul", "withdrawals", fact=decision),
        post("paul", f"proposals/{proposal}/decision", decision="accept", replace=True),
    ):
        assert refused.status_code == 403
        assert "rita rejected" in refused.json()["detail"]
    assert post("rita", "withdrawals", fact=decision).status_code == 201
    proposal, decision = rejected()
    assert post("otto", "withdrawals", fact=decision).status_code == 201
    proposal, decision = rejected()
    changed = post("otto", f"proposals/{proposal}/decision", decision="accept", replace=True)
    assert changed.status_code == 201
    # What is not a veto stays as it was: anybody who takes part corrects it.
    assert post("paul", "withdrawals", fact=changed.json()["id"]).status_code == 201


def test_an_agent_changes_nothing_but_its_own_facts(place: tuple[str, Tokens]) -> None:
    """By REST too, and even as an owner."""
    url, tokens = place
    ann = entering(tokens, "none", "participant", "none", name="ann")
    _, text = tokens.create("tuner", "owner", agent=True)
    agent = {"Authorization": f"Bearer {text}"}

    def post(who: dict[str, str], path: str, **body: Any) -> httpx.Response:
        return httpx.post(f"{url}/studies/here/{path}", json=body, headers=who, timeout=60)

    def facts(who: dict[str, str]) -> tuple[str, str]:
        """A measurement, and a proposal that was decided, by one."""
        told = post(who, "observations", values={"x": 0.5}, value=1).json()["id"]
        proposal = post(who, "proposals").json()[0]["id"]
        post(who, f"proposals/{proposal}/decision", decision="accept")
        return told, proposal

    def changes(told: str, proposal: str) -> list[httpx.Response]:
        again = f"proposals/{proposal}/decision"
        return [
            post(agent, f"observations/{told}/revisions", value=2),
            post(agent, again, decision="override", values={"x": 0.1}, replace=True),
            post(agent, "withdrawals", fact=told),
        ]

    for refused in changes(*facts(ann)):
        assert refused.status_code == 403, refused.text
        assert "ann's" in refused.json()["detail"]
    assert [each.status_code for each in changes(*facts(agent))] == [201, 201, 201]
    # Its lapsed lease frees what ann accepted: that is the study's doing, whoever asks next.
    _, proposal = facts(ann)
    lease = f"{url}/studies/here/proposals/{proposal}/lease"
    assert httpx.put(lease, json={"seconds": 0.01}, headers=agent).status_code == 200
    time.sleep(0.1)
    assert post(agent, "proposals").status_code == 201
    pending = httpx.get(f"{url}/studies/here/proposals", headers=ann).json()
    assert proposal not in [each["id"] for each in pending]


def test_a_rejection_made_meanwhile_stands(place: tuple[str, Tokens]) -> None:
    """Whether a decision may be replaced is judged on the facts that it follows, not before."""
    _, tokens = place
    url = str(tokens._database.engine.url)
    rita, paul = (cs.load_study("here", url) for _ in range(2))
    proposal = paul.ask()
    paul.accept(proposal, actor="paul")
    before = len(paul.facts)

    def rule(state: Any, fact: Any) -> None:
        assert state.decisions[proposal.id].actor == "rita"  # read within the transaction
        rule_for(owner=False)(state, fact)

    rita.reject(proposal, actor="rita", replace=True)  # paul's own list is older
    with provided(rule), pytest.raises(NotAllowed, match="rita rejected"):
        paul.override(proposal, {"x": 0.2}, actor="paul", replace=True)
    assert len(cs.load_study("here", url).facts) == before + 1
