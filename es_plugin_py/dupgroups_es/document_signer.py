"""Documents of other tools get the `dup_` fields before they are written; each stands alone at first."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dupgroups.engines.external_fields import value_of
from dupgroups.flow.signing import PageSigner
from dupgroups.model import Page, Record
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.document_source import page_of, record_source
from dupgroups_es.source_text import with_fields

OWN_PREFIX = "dup_"  # how the names of our fields begin; clients may not set them


class DocumentSigner:
    """Makes records of documents. Raises ConfigError for methods that have to look into an index."""

    def __init__(self, fields: Fields, config: Config) -> None:
        self._fields = replace(fields, group_by=config.group_by)
        self._signer = PageSigner(config)
        self._last = 0

    def has_text(self, document: Mapping[str, Any]) -> bool:
        """Whether a document has a text, or html."""
        return any(value_of(document, name) for name in (self._fields.text, self._fields.html) if name)

    def page(self, id_: str, document: Mapping[str, Any]) -> Page:
        """The text that is signed."""
        return page_of({"_id": id_, "_source": document}, self._fields)

    def records(self, pages: Sequence[Page]) -> list[Record | None]:
        """Records of documents that stand alone; None for one that reveals a bug of ours."""
        return [self._stamp(document.record) if document else None for document in self._signer.sign(pages)]

    def _stamp(self, record: Record) -> Record:
        age = self._last = max(self._last + 1, time.time_ns() // 1000)  # no two documents are of one age
        return replace(record, first_seen=age, last_seen=age, head=True)


def signed_text(text: str, document: Mapping[str, Any], record: Record | None) -> str:
    """A document as it is written: with our fields, or without any that its writer has set.

    Raises ValueError for an object that Python reads and JSON does not allow.
    """
    ours = [name for name in document if name.startswith(OWN_PREFIX)]
    if record is None and not ours:
        return text
    return with_fields(text, record_source(record) if record else {}, drop=ours)
