"""What a service keeps doing, whatever happens."""

import asyncio
import logging

import pytest

from counsel.service import app


def test_an_error_ends_no_check(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Sessions are checked for as long as a service runs, also after something unforeseen."""
    monkeypatch.setattr(app, "_AGAIN", 0.0)
    begun = 0

    async def check() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise KeyError("unforeseen")

    with caplog.at_level(logging.ERROR, logger="counsel.service"):
        asyncio.run(app._keep(check))
    assert begun == 3
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [KeyError] * 2


def test_whoever_stops_the_service_stops_its_checks() -> None:
    async def check() -> None:
        await asyncio.sleep(60.0)

    async def stopped() -> bool:
        task = asyncio.create_task(app._keep(check))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(stopped())
