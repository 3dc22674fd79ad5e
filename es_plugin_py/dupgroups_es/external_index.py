"""Indices that other tools filled: how their documents are read and written, and grouped in place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Document, Record, Seen
from dupgroups.model.field_names import Fields
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_source import (
    document_of,
    document_source,
    group_source,
    is_record,
    page_record_fields,
    record_source,
)
from dupgroups_es.index_set import age_of, explain_filter, is_closed, is_fixed, is_set
from dupgroups_es.layout import READABLE, mapping_of, may_hold, with_dates
from dupgroups_es.mapping import (
    RECORD_FIELDS,
    adoption,
    in_other_set,
    kept_fields,
    reindexing,
    set_of,
    version_of,
    wrong_fields,
)
from dupgroups_es.positions import Version
from dupgroups_es.record_store import RecordStore
from dupgroups_es.rewriting import SourceWriter
from dupgroups_es.transport import Action

CHANGED_REASON = "it was changed since it was read: the next look finds it"


class ExternalIndex(RecordStore):
    """Adds the `dup_` fields and changes nothing else. The first look-up adds them to the mapping, and keeps
    the field map in its `_meta`; nothing changes before. An index that dup-groups created keeps none.

    A name of several indices has them grouped as one (see `index_set`). `beside`: what the side indices are
    named after; None is that name, or the one of the index. `of_set`: the name of the set that the index
    comes to. `skips_unfit`: indices of a set that cannot be grouped are left out, and `unfit` says why.

    Whoever reads what others write sets `read_versions`, on top of which alone documents are written, and
    `met`: those that are met for the first time count as not stored, so that they are grouped as if they
    arrived now, and of what is stored only what that changes is written.
    """

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        fields: Fields | None = None,
        beside: str | None = None,
        *,
        change: bool = False,
        empty: bool = False,
        of_set: str | None = None,
        skips_unfit: bool = False,
    ) -> None:
        indices = cluster.index(name)
        self.is_set = is_set(name, indices)
        if not indices:
            raise ConfigError(f"{cluster.name}: {name!r} stands for no index that could be grouped")
        if problem := explain_filter(name, indices):
            raise ConfigError(f"{cluster.name}: {problem}")
        self.answers = indices
        self.read_versions: Mapping[str, Version] = {}
        self.met: Mapping[str, Record] = {}
        newest = self._choose_newest(name, indices, fields or Fields())
        self.mapping = indices[newest]["mappings"]
        self._is_own = version_of(self.mapping) is not None
        kept = None if fields and change else kept_fields(self.mapping)
        self.fields = with_dates(fields or kept or Fields(), self.mapping)
        self._of_set = of_set or (name if self.is_set and not self._is_own else None)
        super().__init__(cluster, name if self.is_set else newest, beside or self._of_set or newest)
        self._like, self._changes, self._empty = newest, bool(fields and change), empty
        self.unfit = {index: why for index in indices if (why := self._explain_index(index, indices[index]))}
        if self.unfit and (not skips_unfit or len(self.unfit) == len(indices)):
            raise ConfigError(f"{cluster.name}: {next(iter(self.unfit.values()))}")
        if self.is_set:
            cluster.open_set(name, indices)

    def _choose_newest(self, name: str, indices: Mapping[str, Answer], fields: Fields) -> str:
        """The index that the others have to be like: of those of the set, else of those that can be read."""
        texts = [field for field in (fields.text, fields.html) if field]
        mappings = {index: answer["mappings"] for index, answer in indices.items()}
        ours = indices_of_set(name, indices)
        readable = [index for index, mapping in mappings.items() if not _unreadable(index, mapping, texts)]
        return max(ours or readable or indices, key=lambda index: age_of(name, index, indices[index]))

    def _explain_index(self, index: str, answer: Answer) -> str:
        """Why one of the indices cannot be grouped, in a sentence; "" if it can."""
        mapping = answer["mappings"]
        kept, kept_set = None if self._changes else kept_fields(mapping), set_of(mapping)
        return (
            explain_unfit(index, mapping, self.fields, empty=self._empty)
            or _conflict(index, kept, self.fields)
            or (in_other_set(index, kept_set) if kept_set not in (None, self._of_set) else "")
            or explain_unlike(index, mapping, self._like, self.mapping, self.fields)
        )

    def _prepare_index(self) -> None:
        if not self._is_own:
            self.writer = SourceWriter(self.cluster, self.answers)
            for index, answer in self.answers.items():
                self._adopt(index, answer)
        self.routings.look()
        several = self.cluster.sets.get(self.index)
        if several and several.reads_all:  # which only who has not adopted them has to do
            self.cluster.open_set(self.index)
            several.reads_all = False

    def _adopt(self, index: str, answer: Answer) -> None:
        self.unfit.pop(index, None)
        if why := self._explain_index(index, answer):
            self.unfit[index] = why
            return
        self.redirect_index.prepare()  # first, because a template may not allow it
        adopt(self.cluster, index, answer, self.fields, self._of_set)

    def prepare(self) -> None:
        """Add the `dup_` fields to the mapping, and nothing else."""
        self._prepare_index()

    def open_read_only(self) -> None:
        """Do not adopt the index with the first look-up; nothing may be written afterwards."""
        with self.lock:
            self.routings.look()
            self._prepared = True

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """See Store.read; a document without the text field has an empty text."""
        hits = self.hits(ids, page_record_fields(self.fields))
        return {id_: document_of(hit, self.fields) for id_, hit in hits.items() if is_record(hit)}

    @property
    def names(self) -> Fields:
        return self.fields

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """See Store.get; without what is met for the first time."""
        return super().get([id_ for id_ in ids if id_ not in self.met])

    def _store_action(self, document: Document) -> Action:
        source = document_source(document) if self._is_own else record_source(document.record)
        if document.record.id in self.met:
            source = {**group_source(document.record), "dup_ties": source["dup_ties"]}
        return Action("update", self.index, document.record.id, source)

    def _seen_action(self, document: Document, seen: Seen | None) -> Action:
        action = super()._seen_action(document, seen)
        return replace(action, version=self.read_versions.get(document.record.id, action.version))

    def _store(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[dict[str, str], frozenset[str]]:
        # what is met for the first time and stands alone stays as it was written
        met = [document.record for document in documents if document.record.id in self.met]
        alone = {record.id: record for record in met if record.stands_alone}
        for record in alone.values():
            self.cluster.own_writes.mark_processed(self.index, record.id, self.read_versions[record.id])
            self._hold(record)
        self.archive.note_written(alone.keys())
        left = [document for document in documents if document.record.id not in alone]
        failures, overtaken = super()._store(left, seen)
        changed = overtaken & self.read_versions.keys()
        return failures | dict.fromkeys(changed, CHANGED_REASON), overtaken - changed

    def count(self) -> int:
        return self.cluster.count(self.index)

    def delete(self, ids: Sequence[str]) -> None:
        """Raises EngineError: grouping in place only adds fields."""
        raise EngineError(f"{self.name}: to delete documents, open the index by its URL")


# -- whether an index can be adopted


def indices_of_set(name: str, indices: Mapping[str, Answer]) -> list[str]:
    """Those that are grouped as this set; what came since may have other fields, or none."""
    return [index for index, answer in indices.items() if set_of(answer["mappings"]) == name]


def adopt(cluster: Cluster, index: str, answer: Answer, fields: Fields, of_set: str | None) -> None:
    """Add what the mapping of an index lacks, unless it is old and takes nothing."""
    changes = adoption(answer["mappings"], fields, of_set)
    if changes and not is_fixed(answer) and not is_closed(answer):
        cluster.change_mapping(index, changes)


def explain_unfit(index: str, mapping: Mapping[str, Any], fields: Fields, *, empty: bool = False) -> str:
    """Why an index with this mapping cannot be grouped by these fields, in a sentence; "" if it can. `empty`:
    it may have no text yet.
    """
    names = [name for name in (fields.text, fields.html) if name]
    if problem := _misfit(index, mapping) or _incomplete(index, mapping):
        return problem
    if empty and not any(mapping_of(mapping, name) for name in names):
        return ""
    return _unreadable(index, mapping, names)


def _conflict(index: str, kept: Fields | None, fields: Fields) -> str:
    if kept is None or kept == fields:
        return ""
    was, wanted = kept.by_part(), fields.by_part()
    parts = [part for part in was | wanted if was.get(part) != wanted.get(part)]
    had, given = (", ".join(f"{part}={of.get(part) or ''}" for part in parts) for of in (was, wanted))
    return (
        f"{index!r} was adopted with {had}, not {given}: leave out --fields, or run "
        "`dup-groups backfill` with it and --change-fields"
    )


def explain_unlike(
    index: str, mapping: Mapping[str, Any], newest: str, like: Mapping[str, Any], fields: Fields
) -> str:
    """Why two indices cannot be read as one, in a sentence; "" if they can."""
    for part, name in fields.by_part().items():
        kinds = [mapping_of(of_index, name).get("type") for of_index in (mapping, like)]
        if None not in kinds and kinds[0] != kinds[1]:
            return (
                f"the {part} ({name}) is of type {kinds[0]} in {index!r} and {kinds[1]} in {newest!r}: name "
                "indices of one kind"
            )
    return ""


def _misfit(index: str, mapping: Mapping[str, Any]) -> str:
    """Why the `dup_` fields cannot be used as they are mapped, in a sentence; "" if they can."""
    wrong = wrong_fields(mapping)
    if not wrong:
        return ""
    types = ", ".join(
        f"{field} is {kind}, not {RECORD_FIELDS[field]['type']}" for field, kind in wrong.items()
    )
    return (
        f"the mapping of {index!r} does not fit ({types}), as when grouped documents were copied there: "
        f"{reindexing(index)}"
    )


def _incomplete(index: str, mapping: Mapping[str, Any]) -> str:
    """Why documents that are written again would lose something, in a sentence; "" if they would not."""
    source = mapping.get("_source", {})
    if source.get("enabled") is False:
        return f"{index!r} does not store _source, so its documents can neither get more fields nor be copied"
    if source.get("excludes") or source.get("includes"):
        return (
            f"{index!r} stores a part of _source only, and writing a document again would lose the rest: "
            "fill an index that stores all of it from where the documents came from"
        )
    return ""


def _unreadable(index: str, mapping: Mapping[str, Any], names: Sequence[str]) -> str:
    there = [name for name in names if may_hold(mapping, name)]
    fields = ", ".join(name for name in _fields_in(mapping) if name not in RECORD_FIELDS) or "no fields"
    if not there:
        return f"{index!r} has no field {names[0]!r} for the text; it has {fields}"
    for name in there:
        if copied := [field for field in _fields_in(mapping) if name in _copies_of(mapping, field)]:
            return (
                f"the field {name!r} of {index!r} is a copy (copy_to) that no document has: name what it is "
                f"copied from, such as {copied[-1]}"
            )
        kind = mapping_of(mapping, name).get("type", "object") if mapping_of(mapping, name) else "text"
        if kind not in READABLE:
            return (
                f"the field {name!r} of {index!r} is of type {kind}, not text: name the field with the text; "
                f"it has {fields}"
            )
    return ""


def _copies_of(mapping: Mapping[str, Any], field: str) -> Sequence[str]:
    copies = mapping_of(mapping, field).get("copy_to", [])
    return [copies] if isinstance(copies, str) else copies


def _fields_in(mapping: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """The names of the fields of a mapping, as `--fields` takes them."""
    for name, field in mapping.get("properties", {}).items():
        if "properties" in field:
            yield from _fields_in(field, f"{above}{name}.")
        else:
            yield above + name
