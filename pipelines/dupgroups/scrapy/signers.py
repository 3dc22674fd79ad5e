"""Sign the pages of a crawl in processes, once it is long enough to gain from them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from dupgroups.bulk.processes import Pool
from dupgroups.flow.signing import PageSigner
from dupgroups.model import Document, Page
from dupgroups.model.config import Config

START_AFTER_PAGES = 200  # pages that the process of the crawl signs itself, before others are started

log = logging.getLogger(__name__)


class Signers:
    """`processes` that sign pages; 0 or 1 leaves all of them to the process of the crawl.

    They are started when `start_after` pages have come, and get pages once all of them are warm.
    """

    def __init__(
        self, processes: int, config: Config, warm_up: Sequence[Page], start_after: int = START_AFTER_PAGES
    ) -> None:
        self._processes = processes
        self._config = config
        self._warm_up = warm_up
        self._start_after = start_after
        self._pages = 0
        self._ready = False
        self._starting: asyncio.Task[None] | None = None
        self._pool: Pool[PageSigner] | None = None

    async def sign(self, page: Page) -> tuple[Document, float] | None:
        """The page as a document, and the seconds that it took; None if this process has to sign it.

        That is so before there are others, when one died over it, and for a page that cannot be signed.
        """
        self._pages += 1
        if self._pages == self._start_after and self._processes > 1:
            self._starting = asyncio.get_running_loop().create_task(self._start())
        if not self._pool or not self._ready:
            return None
        try:
            return await asyncio.wrap_future(self._pool.submit(PageSigner.sign_timed, page))
        except Exception as error:
            log.info("A page is signed in the process of the crawl, because a worker could not (%r)", error)
            return None

    async def close(self) -> None:
        """End the processes."""
        if self._starting:
            await self._starting
        if self._pool:
            await asyncio.to_thread(self._pool.close)

    async def _start(self) -> None:
        """Start the processes, and let each of them load its dictionaries."""
        try:
            pool = self._pool = Pool(self._processes, PageSigner, self._config)
            warm = partial(pool.submit, PageSigner.sign, self._warm_up)
            calls = await asyncio.to_thread(lambda: [warm() for _ in range(self._processes)])
            await asyncio.gather(*map(asyncio.wrap_future, calls))
            self._ready = True
        except Exception as error:
            log.warning(
                "All pages are signed in the process of the crawl: no worker can be started (%r)", error
            )
