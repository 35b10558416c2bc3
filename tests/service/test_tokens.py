"""Tokens are kept as hashes, end on time and survive a restart."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.errors import InvalidInput, NotFound
from counsel.service.security.tokens import Tokens
from counsel.storage import open_storage


def test_only_a_hash_is_kept(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    open_storage(url).close()
    tokens = Tokens(url)
    made, text = tokens.create("ann", "owner")
    secret = text.split("_", 2)[2]
    tokens.close()
    assert all(secret.encode() not in file.read_bytes() for file in tmp_path.iterdir())
    again = Tokens(url)
    found = again.check(text)
    assert found == made
    assert again.check(text + "x") is None
    assert [token.name for token in again.all()] == ["ann"]
    again.close()
    open_storage(url).close()  # the table of tokens does not disturb the studies'


def test_states() -> None:
    tokens = Tokens()
    made, text = tokens.create("ann", "viewer", days=None)
    assert (made.state, made.expires) == ("valid", None)
    assert tokens.revoke(made.id).state == "revoked"
    assert tokens.check(text) is None
    assert tokens.still(made.id) is None
    ended, _ = tokens.create("ben", "viewer", days=1e-9)
    assert ended.state == "expired"


def test_bad_input_is_refused() -> None:
    tokens = Tokens()
    with pytest.raises(InvalidInput, match="role"):
        tokens.create("ann", "king")
    with pytest.raises(InvalidInput, match="days"):
        tokens.create("ann", "owner", days=-1)
    with pytest.raises(NotFound, match="zzz"):
        tokens.revoke("zzz")


def test_a_text_that_was_chosen_before(tmp_path: Path) -> None:
    """A container's secret: the same command at every start makes one token."""
    url, file = f"sqlite:///{tmp_path / 'a.db'}", tmp_path / "owner_token"
    text = "counsel_0123456789ab_" + "s" * 32
    file.write_text(text + "\n")
    command = ["token", "create", "owner", "--role", "owner", "--text-file", str(file)]
    for _ in range(2):
        done = CliRunner().invoke(app, [*command, "--storage", url])
        assert done.exit_code == 0, done.output
        assert text not in done.output
    tokens = Tokens(url)
    (token,) = tokens.all()
    assert tokens.check(text) == token
    assert tokens.check(text + "s") is None
    for role, given in (("viewer", text), ("owner", text + "s")):
        with pytest.raises(InvalidInput, match="A token of owner, owner, has this id already"):
            tokens.create("owner", role, text=given)
    with pytest.raises(InvalidInput, match="got '7 characters'") as refused:
        tokens.create("owner", "owner", text="hunter2")
    assert "hunter2" not in str(refused.value)
    tokens.revoke(token.id)
    assert tokens.create("owner", "owner", text=text)[0].state == "revoked"
    tokens.close()


def test_tokens_from_the_terminal(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    box = cs.Space(x=cs.Float(0, 1))
    for name in ("exosuit", "arm=2"):
        cs.create_study(box, name=name, policy="random", storage=url)

    def run(*arguments: str) -> Any:
        result = CliRunner().invoke(app, ["token", *arguments, "--storage", url, "--json"])
        assert result.exit_code in (0, 2), result.output
        return json.loads(result.stdout) if result.exit_code == 0 else result.output

    made = run("create", "ann", "--study", "exosuit=owner", "--study", "arm=2=viewer")
    assert (made["role"], made["studies"]) == ("none", {"exosuit": "owner", "arm=2": "viewer"})
    assert run("create", "ben")["role"] == "participant"
    assert run("create", "tuner", "--agent", "--role", "viewer")["name"] == "agent:tuner"
    assert run("grant", made["id"], "exosuit", "none")["studies"]["exosuit"] == "none"
    assert run("grant", made["id"], "arm=2", "default")["studies"] == {"exosuit": "none"}
    assert [each["studies"] for each in run("list")] == [{"exosuit": "none"}, {}, {}]
    assert "STUDY=ROLE" in run("create", "cid", "--study", "exosuit")
    assert "no study 'nowhere'" in run("grant", made["id"], "nowhere", "owner")
    assert run("revoke", made["id"])["state"] == "revoked"
