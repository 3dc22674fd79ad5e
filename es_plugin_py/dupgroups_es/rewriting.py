"""How engines write the `dup_` fields into documents of other tools: the one place where they do.

A partial update would have the server encode the whole `_source` anew: 1.50 becomes 1.5, 1e3 becomes 1000.0,
0.12345678901234567890123 loses digits, fields change places. So the stored text is read, the fields are put
into it, and it is written over the version that was read. Only line breaks between fields become blanks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_source import hit_version
from dupgroups_es.layout import has_type
from dupgroups_es.mapping import RECORD_FIELDS
from dupgroups_es.patient_client import Written
from dupgroups_es.source_text import with_fields
from dupgroups_es.transport import Action

UNSTORED_TYPES = frozenset({"dense_vector", "sparse_vector", "rank_vectors", "semantic_text"})
"""Types of fields that a server may take out of `_source`, and put back itself in a partial update."""

MAX_SOURCE_CHARS = 20_000_000  # characters of a source that is written as text
MAX_TRIES = 4  # of a write that rests on no version, when others are faster


class SourceWriter:
    """Writes into an index of other tools, or into several of one name."""

    def __init__(self, cluster: Cluster, indices: Mapping[str, Answer]) -> None:
        self._cluster = cluster
        # a final_pipeline would process each text again, and vectors are kept apart from it
        self._encodes = any(
            index["settings"].get("index.final_pipeline", "_none") != "_none"
            or has_type(index["mappings"], UNSTORED_TYPES)
            for index in indices.values()
        )

    def write(self, actions: Sequence[Action]) -> Written:
        """See Cluster.write. Updates of nothing but `dup_` fields leave the text of all others as it is."""
        written = Written()
        for spliced, some in groupby(actions, self._is_spliced):
            write = self._splice if spliced else self._cluster.write
            written |= write(list(some))
        return written

    def _is_spliced(self, action: Action) -> bool:
        source = action.source or {}
        return not self._encodes and action.operation == "update" and source.keys() <= RECORD_FIELDS.keys()

    def _splice(self, actions: Sequence[Action]) -> Written:
        done = Written()
        for _ in range(MAX_TRIES):
            tried = self._splice_once(actions)
            again = [action for action in actions if action.version is None and action.id in tried.overtaken]
            done |= replace(tried, overtaken=tried.overtaken - {action.id for action in again})
            if not again:
                return done
            actions = again
        return replace(done, overtaken=done.overtaken | {action.id for action in actions})

    def _splice_once(self, actions: Sequence[Action]) -> Written:
        stored = self.read_stored(actions)
        versions = {id_: hit_version(hit) for id_, hit in stored.items()}
        overtaken = {action.id for action in actions if action.version not in (None, versions.get(action.id))}
        overtaken &= stored.keys()
        missing = {action.id for action in actions} - stored.keys()
        changes = [
            self._splice_action(action, stored[action.id])
            for action in actions
            if action.id not in missing and action.id not in overtaken
        ]
        written = self._cluster.write(changes)
        return written | Written(missing=frozenset(missing), overtaken=frozenset(overtaken))

    def _splice_action(self, action: Action, hit: Answer) -> Action:
        is_long = len(hit["_source"]) > MAX_SOURCE_CHARS
        text = None if is_long else with_fields(hit["_source"], action.source or {})
        return replace(action, version=hit_version(hit), text=text)

    def read_stored(self, actions: Sequence[Action]) -> dict[str, Answer]:
        """The documents of these actions as they are now, with their `_source` as text; those that are not
        there are absent.
        """
        hits: dict[str, Answer] = {}
        for index, some in groupby(actions, lambda action: action.index):
            wanted = list(some)
            routings = {action.id: action.routing for action in wanted if action.routing is not None}
            hits |= self._cluster.mget(index, [action.id for action in wanted], None, routings)
        return hits
