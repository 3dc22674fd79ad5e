"""Templates of hosts during a crawl: a host is unknown at first, and known after some pages.

Every document is counted in the order in which they come, and signed once, without what is known then of the
template of its host. When a template is learned (at 4, 8, 16, ... 128 pages of a host), those pages that were
counted are due: they are signed again from the stored text, so that each page is signed seven times at most.
All signatures have one scheme, whatever was known when they were made: the more is known of two hosts, the
better their pages compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing.sign import sign_contents
from dupgroups.methods.template_learner import TemplateLearner
from dupgroups.model import Content, Document
from dupgroups.model.config import Config


class OnlineTemplates:
    """The templates as they are learned, which begin with what the file holds, and the methods that sign."""

    def __init__(self, file: str, methods: MethodSet) -> None:
        self._file = Path(file)
        self._methods = methods
        self._counts = TemplateLearner.open(self._file)

    @classmethod
    def of(cls, config: Config, methods: MethodSet) -> OnlineTemplates | None:
        """What the configuration asks for; None when templates are not learned from the pages."""
        hosts = config.hosts
        return cls(hosts.templates, methods) if hosts and hosts.live else None

    def steps(
        self, documents: Sequence[Document], sign_again: Callable[[Sequence[str]], None]
    ) -> Iterator[list[Document]]:
        """The documents, signed, cut where a template is learned.

        What came before the cut has to be stored when the next step is asked for: then `sign_again` is called
        with the ids of the counted pages of the host, before the step that goes on with the new template.
        """
        step: list[Document] = []
        left: list[Content] = []
        for document in documents:
            if due := self.count(document):
                yield sign_contents(step, left, self._methods)
                step, left = [], []
                sign_again(due)
                self._counts.signed(document.record.host)
            step.append(document)
            left.append(self._stripped(document))
        yield sign_contents(step, left, self._methods)

    def count(self, document: Document) -> list[str]:
        """Count a document; the ids of its host's pages that are due to be signed again, else []."""
        record = document.record
        self._counts.count(record.host, record.id, document.content.text)
        return self._counts.due(record.host)

    def finish(self) -> None:
        """Take what is counted for all there is: every document is signed after this."""
        self._counts.finish()

    def sign(self, documents: Sequence[Document]) -> list[Document]:
        """The documents, signed without what is known now of the templates of their hosts."""
        return sign_contents(documents, [self._stripped(document) for document in documents], self._methods)

    def save(self) -> None:
        """Write the file, for the next crawl to go on from. Raises OSError."""
        self._counts.save(self._file)

    def _stripped(self, document: Document) -> Content:
        content = document.content
        return replace(content, text=self._counts.strip(document.record.host, content.text))
