"""Named entities of a text, counted by a spaCy pipeline that the user chooses.

No recogniser covers every language, so none is a default. The extra `entities` installs spaCy; its pipelines,
one or more for each language, are packages of their own.
"""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from dupgroups.errors import ConfigError, require_extra

# labels of the pipelines: OntoNotes' in English, Chinese and others, WikiNER's in most European ones
_KINDS = dict.fromkeys(("PERSON", "PER"), "persons")
_KINDS |= dict.fromkeys(("GPE", "LOC", "FAC"), "places") | {"ORG": "organisations"}
_UNUSED_PIPES = ("tagger", "morphologizer", "parser", "attribute_ruler", "lemmatizer", "senter")
_MAX_TEXT_CHARS = 20_000  # characters of a text that are read: spaCy needs about 3 kB for each
_MAX_KEPT_TEXTS = 50_000  # texts whose counts are kept


class Entities(NamedTuple):
    """How often a text mentions persons, places and organisations."""

    persons: int
    places: int
    organisations: int


Recogniser = Callable[[str], Entities]


def recogniser(pipeline: str) -> Recogniser:
    """A recogniser by the name or folder of a spaCy pipeline.

    It reads 20,000 characters of a text, and keeps the counts of 50,000 texts, because menus come again on
    every page. Raises MissingExtraError without spaCy, ConfigError for a pipeline that is not installed or
    does not recognise named entities.
    """
    with require_extra("entities", f"The spaCy pipeline {pipeline!r}"):
        import spacy
    try:
        recognise = spacy.load(pipeline, exclude=_UNUSED_PIPES)
    except OSError as error:
        raise ConfigError(
            f"the spaCy pipeline {pipeline!r} is not installed: `python -m spacy download {pipeline}`"
        ) from error
    if not any("doc.ents" in recognise.get_pipe_meta(name).assigns for name in recognise.pipe_names):
        raise ConfigError(f"the spaCy pipeline {pipeline!r} does not recognise named entities: name another")

    @lru_cache(_MAX_KEPT_TEXTS)
    def counts(text: str) -> Entities:
        found = Counter(_KINDS.get(entity.label_) for entity in recognise(text[:_MAX_TEXT_CHARS]).ents)
        return Entities(found["persons"], found["places"], found["organisations"])

    return counts
