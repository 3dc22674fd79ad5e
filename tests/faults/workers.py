"""What the processes do that the tests of faults start and kill."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from multiprocessing.synchronize import Event
from pathlib import Path

from dupgroups import Deduper, Page, group, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.bulk.resign import sign_again
from dupgroups.cli.replay import replay_file
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.backfill import bulk_loader, runs
from dupgroups_es.backfill.runs import undo
from es_plugin.clusters import partition
from flow.scenes import groups as groups_of
from stories import story

Say = Callable[[object], None]

BATCH = 4  # pages added together: many small batches have many moments to die in

Deduper("memory://").add(Page(id="x", text="Loads what signing loads at its first use."))


def crawl(
    say: Say, url: str, pages: Sequence[Page], dead: Path, settle_every: int = 0, until: Event | None = None
) -> None:
    """Add pages as a crawl does, and say after every batch what became of it; the last waits for `until`."""
    ingestor = Ingestor(Deduper(url), dead)
    for number, start in enumerate(range(0, len(pages), BATCH), start=1):
        if until and start + BATCH >= len(pages):
            until.wait()
        signed = [ingestor.sign(page) for page in pages[start : start + BATCH]]
        results = ingestor.add([page for page in signed if isinstance(page, Signed)])
        say(results + [page for page in signed if isinstance(page, ItemResult)])
        if settle_every and number % settle_every == 0:
            ingestor.regroup()
    ingestor.close()


def backfill(say: Say, url: str) -> None:
    """Sign what a store holds anew, and say after every batch how many documents it had."""
    with closing(open_engine(url)) as engine:
        sign_again(engine, progress=say, batch=BATCH)


def bulk_backfill(say: Say, url: str, fields: Fields, above: Path) -> None:
    """Group a whole index in parts of few documents, and say after every part how far it is."""
    runs.PART_DOCUMENTS = BATCH
    with closing(open_engine(url)) as engine:
        run = bulk_loader.bulk_backfill(engine, fields, above=above, limits=runs.Limits(BATCH))
        assert run
        run.run(lambda step, done, total: say((step, done)))


def undo_backfill(say: Say, url: str, above: Path) -> None:
    """Take the groups out of an index, and say after every part how far it is."""
    with closing(open_engine(url)) as engine:
        if engine.kept_fields():  # type: ignore[attr-defined] # else one that died had come to its end
            index = engine.adopt()  # type: ignore[attr-defined]
            undo(index, Config(), above, runs.Limits(BATCH), progress=lambda *words: say(words))


def faults_left(
    url: str, pages: Iterable[Page], stored: Iterable[str] = (), dead: Path | None = None
) -> list[str]:
    """Replay, settle, and say which rules do not hold; [] when all is well.

    `pages` are all that were ever given, `stored` the ids that were reported as stored. With `dead`, its
    letters are replayed, and then every page has to be there.
    """
    known = {str(page.id): page for page in pages}
    with closing(open_engine(url)) as engine:
        deduper = Deduper(engine)
        if dead is not None:
            replay_file(dead, deduper)
        deduper.regroup()
        wrong = [f"{check.name}: {check.detail}" for check in audit(engine) if not check.ok]
        groups = groups_of(engine)
    lost = (set(known) if dead is not None else set(stored)) - set(groups)
    wrong += [f"lost: {', '.join(sorted(lost))}"] if lost else []
    return wrong + differences(groups, group({id_: known[id_] for id_ in groups}))


def differences(groups: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    """The groups that grouping the same documents in a file gives otherwise, as sentences."""
    others = partition(expected) - partition(groups)
    return [f"apart, but together in a file, or the reverse: {sorted(members)}" for members in others]


STORIES = 10
COPIES = (["abc"] * 3 + ["cde"] * 3 + ["abcde"], ["abc"] * 4 + ["abcd"] * 2, ["abc", "cde"], ["abc"])


def made_pages(seed: int) -> list[Page]:
    """Some 45 pages in a random order; the same ones for the same seed.

    Copies of `abc` and `cde` are two groups, which a copy of `abcde` joins.
    """
    chance = random.Random(seed)
    made = []
    for number in range(STORIES):
        for copy, parts in enumerate(COPIES[number % len(COPIES)]):
            id_ = f"s{number}-{copy}"
            text = "\n".join(story(f"{number}{part}", 150) for part in parts)
            made.append(Page(id=id_, url=f"https://site{copy}.example/{number}", text=text))
    chance.shuffle(made)
    return made
