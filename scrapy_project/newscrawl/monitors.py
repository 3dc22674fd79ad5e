"""What Spidermon checks at the end of a crawl, once it is there: `pip install 'dup-groups[spidermon]'`."""

from __future__ import annotations

from spidermon import Monitor, MonitorSuite, monitors

TOO_SHORT = 0.2  # of what is stored: with more, the text of a site is not found any more
RETRIES = 0.01  # requests that were sent again, of the look-ups
FEW = 10  # items, or requests, below which shares say nothing
STORED = ("new", "joined", "merged", "updated", "unchanged", "too_short")


@monitors.name("dup-groups")
class DupGroupsMonitor(Monitor):
    """The stats of dup-groups (docs/scrapy.md)."""

    def _count(self, name: str) -> float:
        return float(self.data.stats.get(f"dupgroups/{name}", 0))

    def _stored(self) -> float:
        return sum(self._count(f"item/{state}") for state in STORED)

    @monitors.name("Every item was counted in one state")
    def test_states(self) -> None:
        """The states add up to the items."""
        states = sum(count for name, count in self.data.stats.items() if name.startswith("dupgroups/item/"))
        assert states == self._count("items")

    @monitors.name("Articles were stored")
    def test_stored(self) -> None:
        """A crawl without any article has lost its sites, or its extractor."""
        assert self._stored() > 0, "no page was stored: see the log, and dupgroups/item/*"

    @monitors.name("No page was lost")
    def test_failed(self) -> None:
        """A failed item has a value that cannot be used."""
        assert self._count("item/failed") == 0, "the log says which field cannot be used"

    @monitors.name("No page waits for a replay")
    def test_dead_letters(self) -> None:
        """Dead letters wait until somebody replays them."""
        assert self._count("item/dead_letter") == 0, "store them later with `dup-groups replay`"

    @monitors.name("Texts are long enough to be compared")
    def test_too_short(self) -> None:
        """Many short texts mean that a site has changed its pages."""
        most = max(FEW, TOO_SHORT * self._stored())
        assert self._count("item/too_short") <= most, "look at some of them with `dup-groups extract URL`"

    @monitors.name("The engine keeps up")
    def test_retries(self) -> None:
        """Many retries mean that the engine is too busy."""
        most = max(FEW, RETRIES * self._count("lookups"))
        assert self._count("engine_retries") <= most, "the log of the engine says what keeps it busy"


class AfterCrawl(MonitorSuite):
    """Runs when the spider is closed. Add `monitors_failed_actions` to be told."""

    monitors = (DupGroupsMonitor,)
