"""Several indices under one name (an alias, a pattern, a data stream), used as one index.

Each document has a home, the index that it lies in. Searches go to all indices at once, and say where each
hit is; a document that is asked for by its id is searched for first, and then read at its home, which is
always current. New documents go where the name leads writers. If an id stands in several indices, the
document is the one in the newest of them.

Indices come and go while others work on them: with a rollover, when an old one is closed or deleted. What is
closed cannot be found until it is opened again.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

Answer = Mapping[str, Any]

MAX_KNOWN_HOMES = 200_000  # documents whose home is remembered, the latest

FIXED_SETTINGS = ("index.blocks.write", "index.blocks.read_only")
"""Which of them takes no writes because somebody wants it so; of full disks speaks another setting."""


class IndexSet:
    """The open indices behind a name, the oldest first, and what is known of homes.

    `target`: the name under which new documents are written, "" if there is none. `fixed`: the indices that
    take no writes, whose documents keep the labels that they have; `unready`: those without our fields, which
    are read only if it `reads_all`. `catches_up`: whoever uses it writes, and has to see all that was written
    into an index before the name led to the next one. `archived`: the indices whose keys are all in the index
    `archive`, with their uuids; `hidden`: the uuids of others that have keys there (see `archived_keys`).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.indices: dict[str, int] = {}  # each with its place by age
        self.target = ""
        self.is_stream = False
        self.fixed: frozenset[str] = frozenset()
        self.unready: frozenset[str] = frozenset()
        self.closed: Mapping[str, Collection[str]] = {}  # each with the ids of its shards
        self.reads_all = False
        self.catches_up = False
        self.is_outdated = False
        self.archive = ""
        self.archived: Mapping[str, str] = {}
        self.hidden: Collection[str] = ()
        self._homes: dict[str, str] = {}  # in the order in which they were seen

    def update(self, answers: Mapping[str, Answer]) -> list[str]:
        """Take over what the server says of the name; returns the indices that were not known."""
        self.closed = {index: _shard_ids(answer) for index, answer in answers.items() if is_closed(answer)}
        opened = {index: answer for index, answer in answers.items() if not is_closed(answer)}
        former = self.indices
        by_age = sorted(opened, key=lambda index: age_of(self.name, index, opened[index]))
        self.indices = {index: age for age, index in enumerate(by_age)}
        self.unready = frozenset(index for index, answer in opened.items() if not _is_ready(answer))
        self.fixed = frozenset(index for index, answer in opened.items() if is_fixed(answer))
        self.is_stream = any("data_stream" in answer for answer in answers.values())
        self.target = self.name if takes_writes(self.name, answers) else ""
        self.is_outdated = False
        if former.keys() - self.indices.keys():
            self._homes = {id_: home for id_, home in self._homes.items() if home in self.indices}
        return [index for index in self.indices if index not in former]

    @property
    def is_several(self) -> bool:
        """Whether homes matter: of one index, too, where a document cannot be asked for by the name."""
        count = len(self.indices) + len(self.closed)
        return count > 1 or (count == 1 and ("*" in self.name or self.is_stream))

    @property
    def path(self) -> str:
        """The indices that are searched: the name for all, or those that are not left out."""
        left_out = self.left_out
        if left_out and "*" in self.name:
            return ",".join([self.name, *(f"-{index}" for index in sorted(left_out))])
        return ",".join(index for index in self.indices if index not in left_out) if left_out else self.name

    @property
    def lookup_path(self) -> str:
        """The indices that holders of keys are searched for in: the archive for those that are archived."""
        asked = [index for index in self.indices if index not in {*self.archived, *self.left_out}]
        return ",".join([*asked, self.archive])

    @property
    def left_out(self) -> frozenset[str]:
        """The indices that have not got our fields, although others have: searches by these would fail."""
        return frozenset() if self.reads_all or len(self.unready) == len(self.indices) else self.unready

    @property
    def state(self) -> tuple[object, ...]:
        """Changes with what is behind the name."""
        return tuple(self.indices), frozenset(self.closed), self.path

    @property
    def newest(self) -> str | None:
        """The index that new documents go to, None if the name takes none."""
        return [*self.indices][-1] if self.target else None

    def note(self, id_: str, index: str) -> None:
        """A document was seen in an index."""
        if index not in self.indices:
            self.is_outdated = True
        former = self._homes.pop(id_, index)
        self._homes[id_] = max(former, index, key=lambda home: self.indices.get(home, len(self.indices)))
        if len(self._homes) > MAX_KNOWN_HOMES:
            for old in list(self._homes)[: MAX_KNOWN_HOMES // 10]:
                del self._homes[old]

    def note_write(self, id_: str, done: Answer) -> None:
        """The server said what became of a write."""
        if done.get("result") == "deleted":
            self.forget([id_])
        elif "error" not in done and done.get("result") != "not_found":
            self.note(id_, done["_index"])
        elif done["_index"] != self.name and done["_index"] not in self.indices:
            self.is_outdated = True

    def notice(self, opened: Collection[str]) -> None:
        """These are the open indices behind the name now."""
        if {*opened} != self.indices.keys():
            self.is_outdated = True

    def is_current(self, hit: Answer) -> bool:
        """Whether a hit is the document of its id, as far as is known, and no older one of the same id."""
        return bool(self._homes.get(hit["_id"], hit["_index"]) == hit["_index"])

    def forget(self, ids: Iterable[str]) -> None:
        """These are not where they were."""
        for id_ in ids:
            self._homes.pop(id_, None)

    def home(self, id_: str) -> str | None:
        """The index of a document, None if that is not known."""
        return self._homes.get(id_)


def _is_ready(answer: Answer) -> bool:
    return "dup_group" in answer["mappings"].get("properties", {})


def is_closed(answer: Answer) -> bool:
    """Whether an index is closed: it answers nothing until it is opened again."""
    return bool(answer["settings"].get("index.verified_before_close") == "true")


def _shard_ids(answer: Answer) -> list[str]:
    settings = answer["settings"]
    return [f"{settings['index.uuid']}:{at}" for at in range(int(settings["index.number_of_shards"]))]


def is_fixed(answer: Answer) -> bool:
    """Whether an index takes no writes, as old ones often do; a full disk is another matter."""
    return any(answer["settings"].get(name) == "true" for name in FIXED_SETTINGS)


def is_set(name: str, answers: Mapping[str, Answer]) -> bool:
    """Whether a name stands for whatever indices there are behind it, and not for one index.

    >>> is_set("news-*", {}), is_set("news", {"news-1": {}, "news-2": {}}), is_set("news", {"news-1": {}})
    (True, True, False)
    """
    return "*" in name or len(answers) > 1 or any("data_stream" in answer for answer in answers.values())


def explain_filter(name: str, answers: Mapping[str, Answer]) -> str:
    """Why an alias that shows part of an index only cannot be used, in a sentence; "" for any other name."""
    if not any("filter" in answer.get("aliases", {}).get(name, {}) for answer in answers.values()):
        return ""
    return f"the alias {name!r} has a filter, but an index is grouped as a whole: name the index"


def age_of(name: str, index: str, answer: Answer) -> tuple[bool, int, str]:
    """Sorts the indices behind a name by age; the one that takes new documents is the newest."""
    is_written = bool(answer.get("aliases", {}).get(name, {}).get("is_write_index"))
    return is_written, int(answer["settings"]["index.creation_date"]), index


def takes_writes(name: str, answers: Mapping[str, Answer]) -> bool:
    """Whether documents can be written under this name."""
    if any(answer.get("data_stream") == name for answer in answers.values()):
        return True
    forms = [answer.get("aliases", {}).get(name) for answer in answers.values()]
    chosen = [form for form in forms if form and form.get("is_write_index")]
    return bool(chosen) or (len(answers) == 1 and "*" not in name)
