"""The REST interface: the loop over HTTP, and how it refuses."""

import asyncio
import contextlib
import json
import math
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from counsel.service.app import create_app
from service.conftest import running

BOX = [{"name": "x", "low": 0, "high": 1}, {"name": "y", "low": 0, "high": 1}]


def new(http: httpx.Client, name: str, policy: str = "random", **more: object) -> str:
    body = {"name": name, "parameters": BOX, "policy": policy, "objective": "payoff", **more}
    made = http.post("studies", json=body)
    assert made.status_code == 201, made.text
    return f"studies/{name}"


def test_the_loop(http: httpx.Client) -> None:
    study = new(http, "loop")
    first, second, third = (
        http.post(f"{study}/proposals", json={}).json()[0]["id"] for _ in range(3)
    )
    decide = {"decision": "accept", "actor": "ann"}
    decision = http.post(f"{study}/proposals/{first}/decision", json=decide).json()
    assert (decision["kind"], decision["actor"]) == ("decision", "ann")
    own = {"x": 0.25, "y": 0.75}
    body = {"decision": "override", "values": own, "reason": "an idea"}
    assert http.post(f"{study}/proposals/{second}/decision", json=body).status_code == 201
    told = http.post(f"{study}/proposals/{second}/observation", json={"value": 2.5}).json()
    assert told["values"] == own
    assert told["outcomes"] == {"payoff": 2.5}
    body = {"decision": "reject", "reason": "no"}
    assert http.post(f"{study}/proposals/{third}/decision", json=body).status_code == 201
    revised = http.post(f"{study}/observations/o1/revisions", json={"value": 3, "reason": "typo"})
    assert revised.json()["outcomes"] == {"payoff": 3.0}
    best = http.get(f"{study}/best").json()
    assert (best["values"], best["value"], best["proposal"]["id"]) == (own, 3.0, second)
    free = {"values": {"x": 0, "y": 1}, "value": 1}
    assert http.post(f"{study}/observations", json=free).json()["proposal"] is None
    compared = http.post(f"{study}/comparisons", json={"winner": second, "loser": free["values"]})
    assert compared.json()["winner"] == own
    taken = http.post(f"{study}/withdrawals", json={"fact": "o2"}).json()
    assert taken["fact"] == "o2"
    page = http.get(f"{study}/facts", params={"limit": 4}).json()
    assert (len(page["facts"]), page["next"]) == (4, 4)
    rest = http.get(f"{study}/facts", params={"after": 4}).json()
    kinds = [fact["kind"] for fact in page["facts"] + rest["facts"]]
    assert (len(kinds), kinds[-1], rest["next"]) == (page["count"], "withdrawal", None)
    assert [o["id"] for o in http.get(f"{study}/observations").json()] == ["o1"]
    assert [d["proposal"] for d in http.get(f"{study}/decisions").json()] == [first, second, third]
    assert [c["id"] for c in http.get(f"{study}/comparisons").json()] == ["c1"]
    assert [p["id"] for p in http.get(f"{study}/proposals").json()] == [first]
    assert http.get(study).json()["problem"]["objective"]["name"] == "payoff"


def test_what_is_optional_may_be_left_out_with_the_body(http: httpx.Client) -> None:
    study = new(http, "bare")
    made = http.post(f"{study}/proposals")
    assert made.status_code == 201, made.text
    (proposal,) = made.json()
    assert http.put(f"{study}/proposals/{proposal['id']}/lease").json()["proposal"] == "p1"
    assert http.post(f"{study}/outlook").status_code == 409  # understood: nothing is measured yet
    # A body that is there is read as before.
    assert len(http.post(f"{study}/proposals", json={"n": 2}).json()) == 2
    assert http.post(f"{study}/proposals", json={"m": 2}).status_code == 422
    assert http.post(f"{study}/proposals", content=b"{").status_code == 422


@pytest.mark.parametrize("pages", [False, True])
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "nothing", 404),
        ("GET", "studies/a/nothing", 404),
        ("POST", "studie", 404),
        ("PATCH", "studies", 405),
        ("POST", "live", 405),
        ("HEAD", "live", 405),
    ],
)
def test_an_unknown_address_is_refused_in_json(
    method: str, path: str, status: int, pages: bool
) -> None:
    """Though the pages, which answer in HTML, take every other address."""
    app = create_app(pages=pages)

    async def answer() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as http:
            return await http.request(method, f"/api/v1/{path}")

    with ThreadPoolExecutor(1) as apart:  # browsers of other tests have an event loop in this one
        found = apart.submit(lambda: asyncio.run(answer())).result()
    assert found.status_code == status
    assert found.headers["content-type"] == "application/problem+json"
    assert ("allow" in found.headers) == (status == 405)
    if method != "HEAD":
        assert path in found.json()["detail"]


def test_exports_are_what_import_reads(http: httpx.Client, tmp_path: object) -> None:
    from counsel.exchange import document, table

    study = new(http, "export")
    http.post(f"{study}/observations", json={"values": {"x": 0.1, "y": 0.2}, "value": 1})
    whole = http.get(f"{study}/export").text
    setup, facts = document.from_json(whole)
    assert (setup.name, len(facts)) == ("export", 1)
    rows = http.get(f"{study}/export", params={"format": "csv"})
    assert rows.headers["content-type"].startswith("text/csv")
    assert table.from_csv(rows.text)[1] == facts


def test_arms_and_categories(http: httpx.Client) -> None:
    arms = [{"kind": "a", "size": 1}, {"kind": "b", "size": 2}]
    made = http.post("studies", json={"name": "arms", "arms": arms, "policy": "random"})
    assert made.status_code == 201
    two = http.post("studies/arms/proposals", json={"n": 2}).json()
    assert [arm["values"] for arm in two] in (arms, arms[::-1])


def test_a_key_counts_once(http: httpx.Client) -> None:
    study = new(http, "keys")
    for path, body in (("proposals", {}), ("proposals/p1/observation", {"value": 1})):
        headers = {"Idempotency-Key": f"key of {path}"}
        first, again = (http.post(f"{study}/{path}", json=body, headers=headers) for _ in range(2))
        assert first.status_code == again.status_code == 201
        assert first.json() == again.json()
    other = http.post(f"{study}/proposals", json={"n": 2}, headers={"Idempotency-Key": "a"})
    misused = http.post(f"{study}/proposals", json={"n": 3}, headers={"Idempotency-Key": "a"})
    assert (other.status_code, misused.status_code) == (201, 409)
    assert http.get(f"{study}/facts").json()["count"] == 4
    body = {"name": "keys", "parameters": BOX, "policy": "random", "objective": "payoff"}
    assert http.post("studies", json=body).status_code == 409


def test_a_study_is_created_once_with_a_key(http: httpx.Client) -> None:
    body = {"name": "created once", "parameters": BOX, "policy": "random"}
    key = {"Idempotency-Key": "create 1"}
    first, again = (http.post("studies", json=body, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    other = {**body, "name": "created twice"}
    for changed in (other, {**body, "seed": 1}):
        refused = http.post("studies", json=changed, headers=key)
        assert refused.status_code == 409
        assert "create 1" in refused.json()["detail"]
    taken = http.post("studies", json=body, headers={"Idempotency-Key": "create 2"})
    assert taken.status_code == 409
    assert http.get("studies/created twice").status_code == 404
    alike = http.post("studies", json={**body, "load_if_exists": True})
    assert alike.json() == first.json()


def test_of_two_who_decide_at_once_one_wins(http: httpx.Client) -> None:
    study = new(http, "race")
    for _ in range(5):
        found = http.post(f"{study}/proposals", json={}).json()[0]["id"]
        bodies = [{"decision": "reject", "actor": actor} for actor in ("ann", "ben", "cid")]
        address = f"{study}/proposals/{found}/decision"
        with ThreadPoolExecutor(3) as pool:
            sent = [pool.submit(http.post, address, json=body) for body in bodies]
        answers = [each.result() for each in sent]
        assert sorted(a.status_code for a in answers) == [201, 409, 409]
        winner = next(a for a in answers if a.status_code == 201).json()
        for lost in (a.json() for a in answers if a.status_code == 409):
            assert lost["fact"] == winner
            assert winner["actor"] in lost["detail"]


def test_an_archived_study_is_no_race(http: httpx.Client) -> None:
    study = new(http, "put away")
    assert http.post(f"{study}/archivals", json={}).status_code == 201
    refused = http.post(f"{study}/proposals", json={})
    assert (refused.status_code, refused.json()["title"]) == (409, "The study is archived")


def test_leases(http: httpx.Client) -> None:
    study = new(http, "leases")
    http.post(f"{study}/proposals", json={})
    held = http.put(f"{study}/proposals/p1/lease", json={"actor": "ann", "seconds": 60})
    assert held.json()["actor"] == "ann"
    body = {"decision": "accept", "actor": "ben"}
    refused = http.post(f"{study}/proposals/p1/decision", json=body)
    assert (refused.status_code, refused.json()["fact"]["kind"]) == (409, "lease")
    assert len(http.get(f"{study}/leases").json()) == 1
    gone = http.delete(f"{study}/proposals/p1/lease", params={"actor": "ann"})
    assert gone.status_code == 204
    assert http.post(f"{study}/proposals/p1/decision", json=body).status_code == 201


def test_beliefs_and_reasons(http: httpx.Client) -> None:
    study = new(http, "beliefs", policy="v-ucb")
    point = {"values": {"x": 0.5, "y": 0.5}}
    early = http.post(f"{study}/what-if", json=point)
    assert (early.status_code, early.json()["type"]) == (409, "urn:counsel:nothing-to-explain")
    assert http.post(f"{study}/predictions", json={"points": [point["values"]]}).json() is None
    for i in range(5):
        values = {"x": i / 4, "y": (i * 3 % 5) / 4}
        http.post(f"{study}/observations", json={"values": values, "value": math.sin(i)})
    found = http.post(f"{study}/proposals", json={}).json()[0]
    why = http.get(f"{study}/proposals/{found['id']}/explanation").json()
    for j, term in enumerate(why["terms"]):
        assert why["base"][j] + sum(why["values"][j]) == pytest.approx(found["terms"][term])
    assert http.get(f"{study}/explanations").json() == []  # nobody in particular has seen it
    http.get(f"{study}/proposals/{found['id']}/explanation", params={"actor": "ann"})
    more = {"background": [point["values"]], "tolerance": 0.05, "actor": "ben"}
    http.post(f"{study}/explanations", json={**point, **more})
    seen = http.get(f"{study}/explanations").json()
    assert [(s["actor"], s["attribution"]["proposal"]) for s in seen] == [
        ("ann", found["id"]),
        ("ben", None),
    ]
    assert seen[0]["attribution"] == why
    both = http.post(f"{study}/explanations", json={**point, "proposal": found["id"]})
    assert (both.status_code, both.json()["field"]) == (422, "proposal")
    if_so = http.post(f"{study}/what-if", json=point).json()
    believed = http.post(f"{study}/predictions", json={"points": [point["values"]]}).json()
    assert if_so["prediction"] == pytest.approx(believed[0])
    assert "x 0.5" in if_so["attribution"]["sentence"]
    replayed = http.post(f"{study}/replay").json()
    assert (replayed["proposals"], replayed["identical"]) == (1, True)


@pytest.mark.parametrize(
    ("body", "field", "value"),
    [
        ('{"values": {"x": 2, "y": 0}}', "x", 2),
        ('{"values": {"x": NaN, "y": 0}}', "x", "nan"),
        ('{"values": {"x": "1", "y": 0}}', "x", "1"),
        ('{"values": {"x": 0.5}}', "parameters", {"x": 0.5}),
        ('{"values": {"x": 0, "y": 0}, "extra": 1}', "extra", 1),
        ("{", "body", {}),
        ("[]", "body", []),
    ],
)
def test_refusals_name_field_value_and_remedy(
    http: httpx.Client, body: str, field: str, value: object
) -> None:
    study = new(http, f"refusals {field} {str(value)[:3]}")
    json_ = {"Content-Type": "application/json"}
    answer = http.post(f"{study}/what-if", content=body, headers=json_)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["field"] == field
    assert len(problem["remedy"]) > 10
    assert problem["value"] == value
    assert http.get(f"{study}/facts").json()["count"] == 0


@pytest.mark.parametrize(
    ("path", "body", "field", "said"),
    [
        ("observations", {"values": {"x": None, "y": 0}, "value": 1}, "values.x",
         "values.x: got None. Give true or false, a number or a string."),
        ("observations", {"value": 1}, "values", "It is required: give it."),
        ("observations", {"values": {"x": 0, "y": 0}, "valeu": 1}, "valeu",
         "valeu: got 1. There is no such field. Correct its name, or leave it out."),
        ("observations", {"values": {"x": 0, "y": 0}, "value": "1.5"}, "value",
         "value: got '1.5'. Give a number or a JSON object."),
        ("proposals/p1/decision", {"decision": "perhaps"}, "decision",
         "decision: got 'perhaps'. Use 'accept', 'override', 'reject' or 'abandon'."),
        ("proposals", {"n": 100_000}, "n",
         "n: got 100000. Give a whole number, from 1 to 1000."),
        ("proposals", {"n": 1.5}, "n", "n: got 1.5. Give a whole number."),
        ("observations", {"values": {"x": 0, "y": 0}, "value": 1e308}, "payoff",
         "payoff: got 1e+308. Give a number from -1e+150 to 1e+150, in a larger unit."),
        ("comments", {"fact": "p1", "text": ""}, "text", "Give a string that is not empty."),
        ("withdrawals", {"fact": "o" * 201}, "fact", "Give at most 200 characters."),
        ("claims", {"better": 3, "worse": "p1"}, "better",
         "better: got 3. Give a string or a JSON object."),
        ("trials", {"trials": {}}, "trials", "trials: got {}. Give a list."),
    ],
)  # fmt: skip
def test_bodies_are_refused_in_the_words_of_all_refusals(
    http: httpx.Client, path: str, body: object, field: str, said: str
) -> None:
    study = new(http, f"words {field} {len(said)}")
    http.post(f"{study}/proposals")
    answer = http.post(f"{study}/{path}", json=body)
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert said in answer.json()["detail"]
    assert answer.json()["detail"].endswith(answer.json()["remedy"])
    assert http.get(f"{study}/facts").json()["count"] == 1


def test_of_a_choice_of_forms_the_one_that_was_meant_is_corrected(http: httpx.Client) -> None:
    policy = {"name": "v-ucb", "seting": {"kappa": 3}}
    body = {"name": "forms", "parameters": [{"name": "x", "low": 0, "high": 1}], "policy": policy}
    answer = http.post("studies", json=body).json()
    assert answer["field"] == "policy.seting"
    assert [each["field"] for each in answer["errors"]] == ["policy.seting"]


@pytest.mark.parametrize("depth", [100, 900, 100_000])
def test_what_is_nested_deeply_is_refused(http: httpx.Client, depth: int) -> None:
    study = new(http, f"deep {depth}")
    body = '{"space": ' + '{"a": ' * depth + "1" + "}" * depth + "}"
    json_ = {"Content-Type": "application/json"}
    answer = http.post(f"{study}/amendments", content=body, headers=json_)
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"].startswith(("space: got", "body: it cannot be read as JSON."))


def test_not_found(http: httpx.Client) -> None:
    for path in ("studies/none", "studies/none/facts", "nothing"):
        answer = http.get(path)
        assert (answer.status_code, answer.json()["status"]) == (404, 404)
    study = new(http, "found")
    assert "p9" in http.get(f"{study}/proposals/p9").json()["detail"]
    assert http.get(f"{study}/proposals/..%2f..").status_code in (404, 422)
    assert http.delete(study).status_code == 204
    assert http.get(study).status_code == 404
    new(http, "found")  # the name is free again, and the old study is not on the pool
    assert http.get(f"{study}/facts").json()["count"] == 0


@pytest.mark.parametrize("name", ["a/b", ".", "..", " a", ""])
def test_names_that_no_address_can_hold_are_refused(http: httpx.Client, name: str) -> None:
    body = {"name": name, "parameters": BOX}
    assert http.post("studies", json=body).status_code == 422


def test_the_service_about_itself(http: httpx.Client) -> None:
    health = http.get("health").json()
    assert health["status"] == "ok"
    assert "lw-ucb" in http.get("policies").json()
    text = http.get("metrics").text
    assert 'counsel_requests_total{method="GET",route="/api/v1/health",status="200"}' in text
    assert "counsel_compute_wait_seconds_count" in text
    document = http.get("openapi.json").json()
    answers = document["paths"]["/api/v1/studies/{name}/what-if"]["post"]["responses"]
    assert "application/problem+json" in answers["409"]["content"]
    assert "cdn" not in json.dumps(document)


def test_half_a_surrogate_pair_is_refused_and_not_stored(http: httpx.Client) -> None:
    choice = {"name": "c", "type": "categorical", "choices": ["a", "\ud800"]}
    content = json.dumps({"name": "half", "parameters": [choice]})  # as an escape
    refused = http.post("studies", content=content, headers={"Content-Type": "application/json"})
    assert refused.status_code == 422
    assert http.get("studies/half").status_code == 404


def test_a_history_that_changed_is_a_conflict_of_its_own(tmp_path: Path) -> None:
    """Said once, to whoever comes first; then everybody has the same facts."""
    file, older = tmp_path / "a.db", tmp_path / "older.db"
    with running(storage=f"sqlite:///{file}") as url:
        at = f"{url}/api/v1/studies"
        assert httpx.post(at, json={"name": "a", "parameters": BOX}).status_code == 201
        body = {"values": {"x": 0.5, "y": 0.5}, "value": 1.0}
        assert httpx.post(f"{at}/a/observations", json=body).status_code == 201
        with contextlib.closing(sqlite3.connect(file)) as raw:
            raw.execute("VACUUM INTO ?", [str(older)])
        assert httpx.post(f"{at}/a/observations", json=body).status_code == 201
        for end in ("-wal", "-shm"):
            Path(f"{file}{end}").unlink(missing_ok=True)
        older.rename(file)
        refused = httpx.post(f"{at}/a/observations", json=body)
        assert (refused.status_code, refused.json()["type"]) == (409, "urn:counsel:history-changed")
        assert "once held 2 facts" in refused.json()["detail"]
        assert httpx.post(f"{at}/a/observations", json=body).status_code == 201
        assert len(httpx.get(f"{at}/a/facts").json()["facts"]) == 2
