"""Tokens in real databases: what is no token, restarts, files that are gone."""

from pathlib import Path

import pytest

import postgres
from counsel.errors import NotFound, StorageError
from counsel.service.security.tokens import Tokens

STRANGE = ["counsel_\0_x", "counsel_%00_x", "counsel_\ud800_x", "counsel_é_x"]


@pytest.mark.parametrize("text", STRANGE)
def test_a_text_that_no_database_takes_is_an_unknown_token(url: str, text: str) -> None:
    tokens = Tokens(url)
    assert tokens.check(text) is None
    assert tokens.still(text.split("_")[1]) is None
    with pytest.raises(NotFound):
        tokens.revoke(text.split("_")[1])
    tokens.close()


def test_tokens_outlast_a_restart_of_postgresql(server: postgres.Server) -> None:
    """The connections of the pool are dead then, and nobody who enters shall notice."""
    tokens = Tokens(server.database("tokens"))
    made, text = tokens.create("ann", "owner")
    server.stop("fast")
    server.start()
    assert tokens.check(text) == made
    server.stop("fast")
    server.start()
    assert [token.name for token in tokens.all()] == ["ann"]
    tokens.close()


def test_tokens_of_a_storage_that_is_away_are_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    tokens = Tokens(f"sqlite:///{file}", patience=0.1)
    _, text = tokens.create("ann", "owner")
    file.rename(tmp_path / "aside")
    with pytest.raises(StorageError, match="is gone"):
        tokens.check(text)
    tokens.close()
