"""Conformance suites for other people's policies and storages; Counsel's own pass them, too.

policy.py    what every policy must do
storage.py   what every storage must do

Subclass a suite in a test file and say how the thing under test is made; pytest collects the rest.
The suites themselves do not import pytest.
"""

from counsel.testing.policy import PolicyConformance
from counsel.testing.storage import StorageConformance

__all__ = ["PolicyConformance", "StorageConformance"]
