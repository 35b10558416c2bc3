"""Agents take part in studies: played with the SDK's own client, in process and over a pipe."""

import base64
import io
import json
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pandas as pd
import pytest

import counsel as cs
from counsel.service.security.tokens import Tokens
from counsel.storage import open_storage
from counsel.study import StudyLike
from doors import VERBS
from service.browser import chromium, service

mcp = pytest.importorskip(
    "mcp", reason="The MCP SDK is not installed: pip install 'counsel-opt[mcp]'"
)
from counsel.integrations.agent_tools import READING, WRITING  # noqa: E402
from counsel.integrations.mcp import create_server  # noqa: E402

pytestmark = pytest.mark.xdist_group("agents")  # starts programs: begun early
BOX = cs.Space(x=cs.Float(0, 1), k=cs.Int(1, 9))


class Shelf:
    """Studies in memory."""

    def __init__(self, *studies: cs.Study) -> None:
        self._studies = {each.name: each for each in studies}

    def list_studies(self) -> list[Any]:
        return [each.setup for each in self._studies.values()]

    def load_study(self, name: str) -> StudyLike:
        if name not in self._studies:
            raise cs.NotFound(f"There is no study {name!r}.")
        return self._studies[name]


def play(server: Any, script: Callable[[Callable[..., Awaitable[Any]]], Awaitable[None]]) -> None:
    """Run a script that calls tools as an agent would."""

    async def main() -> None:
        async with mcp.Client(server) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                answer = await client.call_tool(tool, arguments)
                if answer.is_error:
                    raise Refused(answer.content[0].text)
                if answer.structured_content is None:
                    return answer.content[0]
                found = answer.structured_content
                return found["result"] if set(found) == {"result"} else found

            await script(call)

    anyio.run(main)


class Refused(Exception):
    """What a tool answered with an error."""


def test_an_agent_plays_a_whole_study() -> None:
    study = cs.create_study(BOX, name="tea", policy="v-ucb", seed=1)

    async def script(call: Any) -> None:
        assert [each["name"] for each in await call("list_studies")] == ["tea"]
        assert (await call("describe_study", study="tea"))["seed"] == 1
        for _ in range(4):
            (proposal,) = await call("ask", study="tea")
            await call("accept", study="tea", proposal=proposal["id"])
            value = proposal["values"]["x"]
            await call("tell", study="tea", proposal=proposal["id"], value=value)
        (proposal,) = await call("ask", study="tea")
        why = await call("explain", study="tea", proposal=proposal["id"])
        assert why["sentence"].endswith(".")
        point = {"x": 0.9, "k": 2}
        other = await call("what_if", study="tea", values=point, instead_of=proposal["id"])
        assert other["attribution"]["point"] == point
        advice = await call("advise", study="tea", proposal=proposal["id"], mine=point)
        assert advice["alignment"] is None
        assert advice["actor"] == "agent-7"
        assert advice["recommendation"] in ("go ahead", "your call", "step in")
        await call("override", study="tea", proposal=proposal["id"], values=point, reason="higher")
        await call("tell", study="tea", proposal=proposal["id"], value=0.9)
        first, second = await call("ask", study="tea", n=2)
        await call("reject", study="tea", proposal=first["id"], reason="too hot")
        assert [each["id"] for each in await call("pending", study="tea")] == [second["id"]]
        told = await call("tell", study="tea", values={"x": 0.2, "k": 1}, value=0.1)
        await call("revise", study="tea", observation=told["id"], value=0.2, reason="misread")
        await call("withdraw", study="tea", fact=told["id"], reason="another cup")
        assert (await call("predict", study="tea", values=point))["prediction"]["sd"] > 0
        assert (await call("best", study="tea"))["best"]["value"] <= 1.0
        page = await call("history", study="tea", after=1, limit=2)
        assert page["total"] == len(study.facts)
        assert [each["kind"] for each in page["facts"]] == ["decision", "observation"]

    play(create_server(Shelf(study), actor="agent-7"), script)
    assert {each.actor for each in study.facts if hasattr(each, "actor")} == {"agent-7"}
    assert [each.actor for each in study.shown] == ["agent-7"]
    assert study.replay().identical


# What agents do not have of the contract, and why.
ELSEWHERE = {
    **dict.fromkeys(("setup", "name", "problem", "seed"), "describe_study"),
    **dict.fromkeys(("facts", "observations", "failures", "decisions"), "history"),
    **dict.fromkeys(("comparisons", "claims", "comments"), "history"),
    "shown": "who has read what is for people to see",
    "dataframe": "the resource counsel://studies/{study}/trials",
    **dict.fromkeys(("chances", "predict_many"), "predict"),
    "optimize": "takes a Python function",
    "amend": "what is searched is for people to change",
    **dict.fromkeys(("archive", "archived"), "for people to put away"),
    **dict.fromkeys(("weight", "weights", "safe_sets"), "for pictures"),
}


def test_agents_have_the_whole_contract() -> None:
    more = {"list_studies", "describe_study", "history", "plot"}
    assert {*VERBS, *more} - set(ELSEWHERE) == {*READING, *WRITING}


def test_an_agent_on_a_team_with_several_objectives() -> None:
    """The verbs of teams, leases, fronts and grounds, the resources and the prompts."""
    study = cs.create_study(
        BOX,
        name="tea",
        objectives=[cs.Objective("taste"), cs.Objective("cost", "minimize", weight=0.1)],
        policy="v-ucb",
        team="fused",
        seed=1,
    )
    rows = [{"x": i / 5, "k": i, "taste": i / 5, "cost": float(i)} for i in range(1, 6)]
    deciders: set[str] = set()

    async def script(call: Any) -> None:
        told = await call("tell_many", study="tea", rows=rows)
        assert [each["actor"] for each in told] == ["agent-7"] * 5
        (proposal,) = await call("ask", study="tea")
        of = {"study": "tea", "proposal": proposal["id"]}
        assert (await call("hold", **of))["actor"] == "agent-7"
        assert [each["proposal"] for each in await call("leases", study="tea")] == [proposal["id"]]
        await call("release", **of)
        mine = {"x": 0.9, "k": 2}
        contrast = await call("explain", **of, instead_of=mine)
        assert contrast["instead_of"] is not None
        grounds = await call("grounds", **of)
        assert 0 <= grounds["holds"] <= grounds["fits"]
        assert (await call("alignment", **of))["alignment"] is None
        claim = await call("claim", study="tea", better=mine, worse={"x": 0.1, "k": 9})
        assert claim["kind"] == "claim"
        decision = await call("decide", **of, mine=mine)
        assert decision["decision"] in ("accept", "override")
        third = decision["decision"] == "override" and decision["values"] != mine
        deciders.add("fused" if third else "agent-7")  # a third point is the rule's own
        await call("tell", **of, value={"taste": 0.8, "cost": 2.0}, sem={"taste": 0.1})
        front = await call("front", study="tea")
        assert front["objectives"] == ["taste", "cost"]
        noted = await call("comment", study="tea", fact=proposal["id"], text="bitter")
        assert noted["text"] == "bitter"
        await call("fail", study="tea", proposal={"x": 0.0, "k": 9}, reason="cold")
        assert isinstance(await call("overriding", study="tea"), list)
        assert (await call("replay", study="tea"))["identical"]
        (other,) = await call("ask", study="tea")
        no = {"proposal": other["id"], "reason": "no", "scope": "region", "radius": 0.1}
        assert (await call("reject", study="tea", **no))["radius"] == 0.1

    server = create_server(Shelf(study), actor="agent-7")
    play(server, script)

    async def read() -> None:
        async with mcp.Client(server) as client:
            listed = await client.read_resource("counsel://studies")
            assert [each["name"] for each in json.loads(listed.contents[0].text)] == ["tea"]
            table = await client.read_resource("counsel://studies/tea/trials")
            assert len(pd.read_csv(io.StringIO(table.contents[0].text))) == len(study.dataframe())
            for name in ("round", "review"):
                prompt = await client.get_prompt(name, {"study": "tea"})
                assert "'tea'" in prompt.messages[0].content.text

    anyio.run(read)
    actors = {each.actor for each in study.facts if hasattr(each, "actor")}
    assert actors == {"agent-7"} | deciders


def test_constraints_and_comparisons() -> None:
    arms = cs.Arms([{"speed": s / 5} for s in range(1, 5)])
    asks = cs.create_study(
        arms, name="drive", constraints=[cs.Constraint("comfort", at_least=0.0)], policy="dmcl"
    )
    likes = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="fit", objective="preference")

    async def script(call: Any) -> None:
        (proposal,) = await call("ask", study="drive")
        await call("tell", study="drive", proposal=proposal["id"], value=0.4)
        question = (await call("next_question", study="drive", proposal=proposal["id"]))["question"]
        assert question in ("comfort", None)
        answers = {"comfort": 0.3}
        await call("tell", study="drive", proposal=proposal["id"], constraints=answers)
        first, second = await call("ask", study="fit", n=2)
        await call("compare", study="fit", winner=first["id"], loser=second["id"])

    play(create_server(Shelf(asks, likes), actor="agent-7"), script)
    assert asks.observations[-1].outcomes == {"comfort": 0.3}
    assert likes.comparisons[0].actor == "agent-7"


def test_people_keep_the_veto() -> None:
    study = cs.create_study(BOX, name="tea", policy="random")

    async def script(call: Any) -> None:
        (proposal,) = await call("ask", study="tea")
        study.reject(proposal["id"], actor="ann", reason="unsafe")
        became = await call("proposal", study="tea", proposal=proposal["id"], wait_seconds=5)
        assert became["decision"]["decision"] == "reject"
        assert became["decision"]["reason"] == "unsafe"
        for tool, more in (("accept", {}), ("tell", {"value": 1.0})):
            with pytest.raises(Refused, match="reject"):
                await call(tool, study="tea", proposal=proposal["id"], **more)
        with pytest.raises(Refused, match="ann's: only they can take it back"):
            await call("withdraw", study="tea", fact=became["decision"]["id"], reason="please")
        with pytest.raises(Refused, match="ann's: only they can take it back"):
            await call("abandon", study="tea", proposal=proposal["id"], reason="please")
        told = study.tell({"x": 0.5, "k": 3}, 1.0, actor="ann")
        with pytest.raises(Refused, match="ann's: only they can take it back"):
            await call("revise", study="tea", observation=told.id, value=2.0, reason="please")

    play(create_server(Shelf(study), actor="agent-7"), script)
    assert len(study.facts) == 3


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("ask", {"study": "coffee"}, "There is no study 'coffee'"),
        ("ask", {"study": "tea", "n": 0}, "n: got 0. Give a whole number, from 1 to 1000"),
        ("tell", {"study": "tea", "value": 1.0}, "either a proposal's id or values"),
        ("tell", {"study": "tea", "values": {"x": 7, "k": 1}, "value": 1.0}, "x"),
        ("plot", {"study": "tea", "kind": "pie"}, "Choose one of progress, landscape"),
    ],
)
def test_what_is_refused_comes_as_a_sentence(
    tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    study = cs.create_study(BOX, name="tea", policy="random")

    async def script(call: Any) -> None:
        with pytest.raises(Refused, match=sentence):
            await call(tool, **arguments)

    play(create_server(Shelf(study), actor="agent-7"), script)
    assert study.facts == ()


def test_a_plot_is_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("kaleido", reason="kaleido is not installed")
    study = cs.create_study(BOX, name="tea", policy="random")
    study.optimize(lambda values: values["x"], 3)

    async def script(call: Any) -> None:
        image = await call("plot", study="tea")
        assert image.mime_type == "image/png"
        assert base64.b64decode(image.data).startswith(b"\x89PNG")

    play(create_server(Shelf(study), actor="agent-7"), script)


def test_over_a_pipe_with_a_storage(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'lab.db'}"
    storage = open_storage(address)
    study = cs.create_study(BOX, name="tea", policy="random", storage=storage)

    async def script(call: Any) -> None:
        (proposal,) = await call("ask", study="tea")
        await call("tell", study="tea", proposal=proposal["id"], value=0.5)

    command = [
        "-c",
        "from counsel.cli import main; main()",
        "mcp",
        "--storage",
        address,
        "--actor",
        "agent-7",
    ]
    play(mcp.StdioServerParameters(command=sys.executable, args=command), script)
    assert [each.actor for each in study.observations] == ["agent-7"]
    storage.close()


def test_a_person_rejects_an_agents_proposal_on_the_page(tmp_path: Path) -> None:
    """The agent comes with a participant's token, the person with a browser."""
    address = f"sqlite:///{tmp_path / 'lab.db'}"
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)), name="tea", policy="v-ucb", storage=address, seed=0
    )
    for x in (0.1, 0.5, 0.9):
        study.tell({"x": x}, x)
    tokens = Tokens(address)
    agent, person = (tokens.create(name, "participant")[1] for name in ("agent-7", "ann"))
    refusals: list[str] = []

    async def script(call: Any) -> None:
        (proposal,) = await call("ask", study="tea")
        became = await call("proposal", study="tea", proposal=proposal["id"], wait_seconds=300)
        assert became["decision"]["actor"] == "ann"
        try:
            await call("accept", study="tea", proposal=proposal["id"])
        except Refused as refused:
            refusals.append(str(refused))
        for _ in range(3):
            (proposal,) = await call("ask", study="tea")
            await call("accept", study="tea", proposal=proposal["id"])
            value = proposal["values"]["x"]
            told = await call("tell", study="tea", proposal=proposal["id"], value=value)
        # The service knows it by its token's name, and so it may correct what is its own.
        await call("revise", study="tea", observation=told["id"], value=value, reason="again")

    with service("serve", "--tokens", "--storage", address, folder=tmp_path) as url:
        server = mcp.StdioServerParameters(
            command=sys.executable,
            args=["-c", "from counsel.cli import main; main()", "mcp", "--url", url],
            env={**os.environ, "COUNSEL_TOKEN": agent},
        )
        with ThreadPoolExecutor(1) as pool, chromium() as browser:
            playing = pool.submit(play, server, script)
            page = browser.new_page(base_url=url)
            page.set_default_timeout(180_000)
            page.goto("/studies/tea")
            page.get_by_label("Your token").fill(person)
            page.get_by_role("button", name="Sign in").click()
            page.locator("#proposal-values").wait_for()
            page.get_by_label("Reason (optional)").fill("too hot")
            page.get_by_role("button", name="Reject").click()
            playing.result(timeout=300)
    assert len(refusals) == 1
    assert "reject by ann" in refusals[0]
    assert [(each.actor, each.kind) for each in study.decisions] == [
        ("ann", "reject"),
        *[("agent-7", "accept")] * 3,
    ]
    assert {each.actor for each in study.observations[3:]} == {"agent-7"}
    assert study.replay().identical
