"""What the names stand for, looked at again. No server."""

from __future__ import annotations

import asyncio

from dupgroups.filtering.metrics import Metrics
from dupgroups.filtering.options import Options
from dupgroups.filtering.writers import Writers


def test_a_look_that_breaks_down_is_repeated_with_the_next_write(monkeypatch, caplog):
    looks = []

    def read():
        looks.append(len(looks))
        if len(looks) == 1:
            raise ZeroDivisionError
        return {}

    async def write_three_times():
        writers = Writers(Options("opensearch://127.0.0.1:1/news", patience=60.0), Metrics())
        monkeypatch.setattr(writers, "_read", read)
        writers.outdate()
        for _ in range(3):
            await writers.renew()
        await writers.close()

    asyncio.run(write_three_times())
    assert looks == [0, 1]
    assert "ZeroDivisionError" in caplog.text
