"""`dup-groups explain`: why two documents are one story or two, or why a group is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.bulk.inputs.page_reader import STDIN, load
from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing
from dupgroups.cli.methods import choose_methods
from dupgroups.cli.output import plain_table, print_json, stdout
from dupgroups.cli.search import DOCUMENT_HELP, document_id
from dupgroups.engines.lazy import LazyEngine
from dupgroups.errors import InputError, MissingIndexError
from dupgroups.text.terminal import plain, printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from dupgroups.engines import Engine
    from dupgroups.flow.explain.pair_explanation import Explanation
    from dupgroups.flow.explain.text_alignment import Alignment, Passage
    from dupgroups.flow.method_set import MethodSet
    from dupgroups.model import Document
    from dupgroups.presentation.story import Story, Ties

PLACE = f"A document of the index ({DOCUMENT_HELP}), a file (html or plain text), or - for standard input."


@commands.command("explain")
def explain(
    a: Annotated[str, typer.Argument(help=PLACE)],
    b: Annotated[
        str | None,
        typer.Argument(help="A second page or document. Without it, explain the group of the first."),
    ] = None,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    preset: options.Preset = None,
    extractor: options.Extractor = None,
    signer: options.Signer = None,
    judge: options.Judge = None,
    as_json: options.Json = False,
) -> None:
    """Explain why two documents are one story, or two: what was measured, and where they differ.

    Prints each measure and what it says for or against one story, or its threshold, and where the texts
    differ: [-only in the first-], {+only in the second+}. With one id, it explains a group: its members, and
    who is tied to whom.

    Examples:

        dup-groups explain 1 --json

        dup-groups explain 0f8ba31c 77c01b5a

        dup-groups explain https://example.org/1.html saved.html --engine URL
    """
    from dupgroups.flow.explain.pair_explanation import explain_pair, pair_payload
    from dupgroups.flow.method_set import MethodSet

    if a == b == STDIN:
        raise InputError("only one of the documents can come from standard input: name a file for the other")
    settings = choose_methods(config, preset, extractor, signer, judge)
    methods = MethodSet(settings)
    with closing(LazyEngine(lambda: existing(engine, config))) as index:
        if b is None:
            _explain_group(_open_index(index, a), a, methods, as_json)
            return
        first, second = (_document(index, place, methods) for place in (a, b))
        made = explain_pair(first, second, methods, settings)
    if as_json:
        print_json(pair_payload(made))
    else:
        _print(made)


def _document(index: LazyEngine, place: str, methods: MethodSet) -> Document:
    """The document of a file, signed now, or else of the index. Raises InputError if there is neither."""
    from dupgroups.flow.signing import sign

    if place == STDIN or Path(place).is_file():
        return sign(load(place), methods)
    opened = _open_index(index, place)
    methods.read_log(opened.corrections())
    id_ = document_id(opened, place)
    if document := opened.read([id_]).get(id_):
        return document
    raise InputError(
        f"{place} is neither a file nor in {opened.name}: name an id or a URL of the index, or a file"
    )


def _open_index(index: LazyEngine, place: str) -> Engine:
    """The index that is to have `place`. Without one, the InputError names both: a file may be misspelt."""
    try:
        return index.get_engine()
    except MissingIndexError as error:
        what = "is a file, which alone has no group" if Path(place).is_file() else "is no file"
        raise InputError(f"{place} {what}; as the id of a document: {error}") from error


# -- two documents


def _print(made: Explanation) -> None:
    console = stdout()
    console.print("One story" if made.joins else "Two stories", style="bold")
    sections = (_left_out(made), _parts(made), _signals(made), _texts(made.alignment))
    console.print(*_verdict(made), sep="\n")
    for section in filter(None, map(list, sections)):
        console.print("", *section, sep="\n")


def _verdict(made: Explanation) -> Iterator[RenderableType]:
    from dupgroups.presentation.wording import describe_relation
    from dupgroups.text.counted import count_noun

    relation, score = made.verdict.relation, made.verdict.score
    yield f"{relation} ({score:.2f}): {describe_relation(relation, made.alignment)}."
    yield made.verdict.reason
    if made.joins != made.one_group and made.a.record.first_seen and made.b.record.first_seen:
        yield _note(f"The index has them in {'one group' if made.one_group else 'two groups'} all the same.")
    if made.correction:
        yield _note(f"Correction {made.correction} keeps them together: see `dup-groups corrections`.")
    if made.signed_again:
        yield _note("The index holds signatures of another configuration: the texts were signed again.")
    if made.within_days is not None:
        yield _note(f"Published {made.days_apart} days apart; within_days is {made.within_days}.")
    for name, document in (("first", made.a), ("second", made.b)):
        content = document.content
        length = count_noun(len(content.text), "character")
        shown = (content.title, content.site, content.date, content.url, length)
        yield f"{name}: " + " · ".join(plain(part) for part in shown if part)


def _note(text: str) -> Text:
    from rich.text import Text

    return Text(text, "yellow")


def _parts(made: Explanation) -> Iterator[RenderableType]:
    from dupgroups.presentation.wording import SCALE, SUM, describe_points, number

    table = plain_table("measure", "value", "points")
    for part in made.parts:
        table.add_row(part.name, number(part.value), describe_points(part.points))
    if made.parts:
        table.add_row("together", "", describe_points(sum(part.points for part in made.parts)))
        yield table
        yield from map(_note, (SUM, SCALE))


def _left_out(made: Explanation) -> Iterator[RenderableType]:
    from dupgroups.presentation.wording import describe_left_out

    for passage in made.left_out:
        yield _note(plain(describe_left_out(passage)))


def _signals(made: Explanation) -> Iterator[RenderableType]:
    from rich.text import Text

    from dupgroups.presentation.wording import SCALE, describe_needed, number

    table = plain_table("measure", "value", "needed", "set by", "")
    for signal in made.signals:
        passed = Text("yes", "green") if signal.passed else Text("no", "red")
        table.add_row(signal.name, number(signal.value), describe_needed(signal), signal.parameter, passed)
    if made.signals:
        yield table
        yield _note(SCALE)


def _texts(alignment: Alignment) -> Iterator[Text]:
    """The paragraphs, those that both have only once: "- " begins one of the first, "+ " of the second."""
    from rich.text import Text

    for row in alignment.rows:
        for lines, sign in ((row.left, "-"), (() if row.same else row.right, "+")):
            for line in lines:
                yield Text(f"{' ' if row.same else sign} ").append_text(_line(line, sign))
    if alignment.cut:
        yield _note("Only the beginnings are compared.")


def _line(parts: Sequence[Passage], sign: str) -> Text:
    """A paragraph in which what only this text has is marked: [-so-] or {+so+}."""
    from rich.text import Text

    line = Text()
    begin, end = ("[", "]") if sign == "-" else ("{", "}")
    for part in parts:
        text = printable(part.text)
        shown = text if part.common else f"{begin}{sign}{text.strip()}{sign}{end}"
        after = " " if text.endswith(" ") and not part.common else ""
        line.append(shown, "" if part.common else "red" if sign == "-" else "green").append(after)
    return line


# -- a group


def _explain_group(engine: Engine, place: str, methods: MethodSet, as_json: bool) -> None:
    from dupgroups.presentation.story import group_payload, read_story, read_ties

    id_ = document_id(engine, place)
    record = engine.get([id_]).get(id_)
    name = record.group if record else id_
    story = read_story(engine, name)
    if story is None:
        raise InputError(f"{place!r} is not in {engine.name}: name an id or a URL of the index")
    ties = read_ties(engine, story, methods)
    if as_json:
        print_json(group_payload(story, ties))
    else:
        _print_group(story, ties)


def _print_group(story: Story, ties: Ties) -> None:
    from dupgroups.presentation import wording
    from dupgroups.text.counted import count_noun

    console, namesake, head = stdout(), story.namesake, story.head
    numbers = {copy.id: number for number, copy in enumerate(story.copies, start=1)}
    console.print(f"group {plain(story.group)}: {count_noun(len(numbers), 'copy', 'copies')}", style="bold")
    if namesake:
        name = plain(namesake.site or namesake.title)
        console.print(f"Its id is that of the copy of {name}: {story.reason}.")
    if head and head != namesake:
        console.print(f"Its main copy is that of {plain(head.site or head.title)}.")
    if told := wording.published_first(ties.spread):
        console.print(plain(told))
    console.print(plain(wording.describe_sources(ties.sources)))
    for page in ties.sources.pages:
        console.print(
            "  " + plain(f"{wording.name_of(page.copy)}: {wording.describe_evidence(page, ties.sources)}")
        )
    _print_ties(story, ties, numbers)


def _print_ties(story: Story, ties: Ties, numbers: Mapping[str, int]) -> None:
    from dupgroups.presentation import wording

    console, table = stdout(), plain_table("", "id", "published", "first seen", "site", "title")
    for copy in story.copies:
        seen = story.first_seen.get(copy.id) or ""
        shown = (copy.id, copy.date or "", seen, copy.site, copy.title)
        table.add_row(str(numbers[copy.id]), *map(plain, shown))
    console.print("", table, sep="\n", soft_wrap=False)
    if len(ties.scores.members) > 1:
        console.print("", _matrix(ties), sep="\n", soft_wrap=False)
        console.print("* joined when one of them was written", _note(wording.SCALE), sep="\n")
    if ties.edits:
        console.print("\nChanged since they were stored:")
        for edit in ties.edits:
            console.print(f"  {numbers[edit.id]} · {plain(wording.describe_edit(edit))}")
    if ties.related:
        console.print("\nRelated, but not joined:")
        for tie, copy in ties.related:
            by = ties.kept_apart.get(tie.other.group)
            apart = f"kept apart by {by}" if by else ""
            parts = (tie.relation, f"{tie.score:.2f}", apart, copy.id, copy.site, copy.title)
            console.print("  " + " · ".join(plain(part) for part in parts if part))
    if story.former_names:
        console.print("\nFormer names: " + ", ".join(map(plain, story.former_names)))


def _matrix(ties: Ties) -> Table:
    members = ties.scores.members
    table = plain_table("", *(str(number) for number in range(1, len(members) + 1)))
    for number, id_ in enumerate(members, start=1):
        scores = (ties.scores.of(id_, other) if other != id_ else None for other in members)
        cells = [f"{score.score:.2f}{'*' * score.tied}" if score else "-" for score in scores]
        table.add_row(str(number), *cells)
    return table
