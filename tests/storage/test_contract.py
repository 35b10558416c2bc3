"""The contract, kept by every storage: memory, SQLite, PostgreSQL."""

from collections.abc import Callable

import pytest

from counsel.storage import Storage
from counsel.testing import StorageConformance


class TestEveryStorage(StorageConformance):
    @pytest.fixture(autouse=True)
    def opened(self, reopen: Callable[[], Storage]) -> None:
        self.reopen = reopen

    def open(self) -> Storage:
        return self.reopen()
