"""Tokens are kept as hashes, end on time and survive a restart."""

from pathlib import Path

import pytest

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
