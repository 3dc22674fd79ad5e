"""What is near a document in a store, asked without storing anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest

from dupgroups import Config, Page, compare
from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.finding import (
    MAX_QUOTING,
    MAX_SHOWN_CHARS,
    MAX_SHOWN_PASSAGES,
    MIN_PASSAGE_WORDS,
    Found,
    relate_by_passages,
)
from dupgroups.grouping.grouping_rule import MAX_COMPARED_TEXTS
from dupgroups.model import Document
from dupgroups.text.passages import Overlap, shorten
from flow.scenes import CHAIN, deduper, page, states
from stories import reprint, running_text, story
from watched import Watched


class Textless(Watched):
    """A store in which another tool keeps html in place of the texts."""

    keeps_text = False


@pytest.fixture
def engine() -> Iterator[Engine]:
    with closing(SQLiteEngine()) as opened:
        deduper(opened).add_all([page("whole", "abc"), page("part", "aX"), page("other", "xyz")])
        yield opened


def said(found: list[Found]) -> list[tuple[str, str]]:
    return [(one.id, one.relation) for one in found]


def test_copies_containers_and_excerpts_are_found_the_nearest_first(engine: Engine) -> None:
    asked = {parts: deduper(engine).find(page("asked", parts)) for parts in ("abc", "aY", "q")}
    assert said(asked["abc"]) == [("whole", "duplicate"), ("part", "contains")]
    assert said(asked["aY"]) == [("part", "duplicate"), ("whole", "contained")]
    assert asked["q"] == []
    copy = asked["abc"][0]
    assert (copy.joins, copy.differ) == (True, ())
    assert copy.score > asked["abc"][1].score
    assert "words are common to both" in copy.reason


def test_the_nearest_come_first_and_those_without_a_passage_in_common_not_at_all() -> None:
    with closing(SQLiteEngine()) as opened:
        store = deduper(opened)
        store.add_all(page(f"from {part[0]}", part) for part in (*CHAIN, "xyz"))
        relations = said(store.find(page("asked", CHAIN[0])))
    assert [id_ for id_, _ in relations] == [f"from {part}" for part in "abcdefghi"]
    assert [relation for _, relation in relations[:3] + relations[4:]] == ["duplicate"] * 3 + ["near"] * 5


@pytest.mark.parametrize("sentences", [8, 25])
def test_a_paragraph_finds_the_article_that_it_is_from_and_that_finds_the_paragraph(sentences: int) -> None:
    article = running_text("quay", sentences)
    paragraph = "\n".join(article.split("\n")[3:7])
    store = deduper(SQLiteEngine())
    store.add_all([Page(id="article", text=article), Page(id="other", text=running_text("dam"))])
    (found,) = store.find(paragraph)
    assert (found.id, found.relation, found.joins) == ("article", "contained", False)
    compared = compare(Page(text=paragraph), Page(text=article))
    assert (found.relation, found.score) == (compared.relation, compared.score)
    assert found.passages == (shorten(paragraph, MAX_SHOWN_CHARS),)
    assert "100% of the words" in found.reason
    store.add(Page(id="paragraph", text=paragraph))
    assert ("paragraph", "contains") in said(store.find(article))


def test_an_excerpt_finds_its_article_by_a_single_key() -> None:
    article = running_text("quay", 60)
    lines, store = article.split("\n"), deduper(SQLiteEngine())
    store.add(Page(id="article", text=article))
    asked = [store.sign(Page(text="\n".join(lines[at : at + 2]))) for at in range(58)]
    keys = set(store.engine.get(["article"])["article"].signature.keys)
    single = [one for one in asked if len(keys.intersection(store.methods.part_signature(one).keys)) == 1]
    assert single
    assert [said(found) for found in store.find_all(single)] == [[("article", "contained")]] * len(single)


QUOTED = "The minister said that the harbour would be closed to all ferries until the last week of May."
FIRE = "The fire at the quay killed 12 people and hurt 40 others: 7 engines, 6 boats, 90 calls."
TEMPLATE = "Shares of {} rose {} per cent in early trade after its quarterly report, brokers said."


def test_a_quotation_is_named_but_not_the_form_of_a_series() -> None:
    store = deduper(SQLiteEngine())
    series = [TEMPLATE.format(name, number) for number, name in enumerate(("Ostrand", "Talmer", "Ellery"))]
    store.add(Page(id="quotes", text=f"{FIRE}\n{running_text('quay')}\n{QUOTED}\n{running_text('pier', 9)}"))
    store.add_all(Page(id=text.split()[2], text=text) for text in series)
    other_fire = FIRE.replace("killed 12", "killed 14")
    (found,) = store.find(f"{other_fire}\n{running_text('mole', 9)}\n{QUOTED}")
    assert (found.id, found.relation, found.passages) == ("quotes", "near", (QUOTED.rstrip("."),))
    assert (found.differ, found.joins) == ((), False), "only copies and parts contradict each other"
    assert found.score < 0.25
    assert "words are common to both" in found.reason
    assert said(store.find(TEMPLATE.format("Wexham", 8))) == []


@pytest.mark.parametrize(("words", "is_found"), [(MIN_PASSAGE_WORDS, True), (MIN_PASSAGE_WORDS - 1, False)])
def test_a_passage_has_fifteen_words(words: int, is_found: bool) -> None:
    passage = " ".join(running_text("quay", 3).split()[:words])
    other, own = (f"{running_text(name, 4)}\n{name} {passage} {name}." for name in ("pier", "mole"))
    store = deduper(SQLiteEngine())
    store.add(Page(id="other", text=other))
    assert [one.passages for one in store.find(own)] == [(passage,)] * is_found


@pytest.mark.parametrize(
    ("share", "share_of_other", "relation"),
    [
        (0.75, 0.1875, "contained"),
        (0.1875, 0.75, "contains"),
        (0.74, 0.1, "near"),  # too little of the part
        (0.94, 0.26, "near"),  # too large a part, of which the judge decides
        (0.95, 0.71, "contained"),  # word for word
        (0.96, 0.73, "near"),
        (0.75, 0.19, "near"),
        (0.0, 0.0, "near"),
    ],
)
def test_a_part_is_mostly_in_the_whole_and_at_most_a_quarter_of_it_or_there_word_for_word(
    share: float, share_of_other: float, relation: str
) -> None:
    found = relate_by_passages(Overlap((), share, share_of_other))
    assert found == (relation, max(share, share_of_other))


def test_without_texts_what_is_similar_as_a_whole_is_near() -> None:
    store = deduper(Textless(SQLiteEngine()))
    store.add_all(page(part[0], part) for part in CHAIN[::2])
    found = said(store.find(page("asked", CHAIN[0])))
    assert found == [("a", "duplicate"), ("c", "duplicate"), ("e", "near"), ("g", "near")]


def test_of_many_passages_the_longest_are_shown_the_longest_first_and_cut() -> None:
    names = ["quay", "pier", "mole", "lock", "dam", "weir", "buoy"]
    shared = [running_text(name, size) for size, name in enumerate(names, start=1)]
    own, other = ([running_text(f"{side} {name}", 2) for name in names] for side in ("left", "right"))
    store = deduper(SQLiteEngine())
    store.add(Page(id="other", text="\n".join(f"{a}\n{b}" for a, b in zip(shared, other, strict=True))))
    (found,) = store.find("\n".join(f"{a}\n{b}" for a, b in zip(shared, own, strict=True)))
    assert len(found.passages) == MAX_SHOWN_PASSAGES
    begun = [next(text for text in shared if text.startswith(one[:40])) for one in found.passages]
    assert begun == shared[:-6:-1]
    assert {len(one) for one in found.passages[:3]} <= {MAX_SHOWN_CHARS - 1, MAX_SHOWN_CHARS}
    assert found.passages[0].endswith("…")


def test_of_many_that_have_a_passage_those_with_the_longest_are_compared() -> None:
    lines = running_text("quay", 120).split("\n")
    store = deduper(SQLiteEngine())
    store.add_all(
        Page(id=f"{size:02}", text="\n".join([*lines[:size], running_text(f"own {size}", 40)]))
        for size in range(2, 40)
    )
    found = {one.id for one in store.find("\n".join(lines))}
    longest = range(39, 39 - MAX_COMPARED_TEXTS - MAX_QUOTING, -1)
    assert found == {f"{size:02}" for size in longest}


def test_what_becomes_too_short_between_both_reads_is_not_near(engine: Engine) -> None:
    def shorten_and_read(ids: Sequence[str]) -> dict[str, Document]:
        deduper(engine).add(page("whole", ""))
        return engine.read(ids)

    found = deduper(Watched(engine, read=shorten_and_read)).find(page("asked", "abc"))
    assert said(found) == [("part", "contains")]


def test_what_is_too_short_is_near_nothing(engine: Engine) -> None:
    deduper(engine).add(page("short", ""))
    assert deduper(engine).find(page("asked", "")) == []


def test_the_facts_that_differ_are_named_as_each_text_has_them(engine: Engine) -> None:
    text = f"{running_text('quay')}\n{FIRE}"
    deduper(engine).add(Page(id="first", text=text, title="Fire", url="https://a.example/1"))
    (found,) = deduper(engine).find(text.replace("killed 12", "killed 14"))
    assert (found.id, found.relation) == ("first", "duplicate")
    assert found.differ == (("14", "12"),)
    assert (found.title, found.url, found.site) == ("Fire", "https://a.example/1", "a.example")
    (found,) = deduper(Textless(engine)).find(text.replace("killed 12", "killed 14"))
    assert (found.relation, found.differ) == ("duplicate", ()), "what it keeps is not what was signed"


def test_it_finds_what_adding_the_document_joins() -> None:
    texts = [reprint(running_text(name), seed) for seed in range(4) for name in ("quay", "pier", "mole")]
    store = deduper(SQLiteEngine())
    joined = 0
    for place, text in enumerate(texts):
        asked = Page(id=f"{place:02}", text=text)
        found = store.find(asked)
        outcome = store.add(asked)
        assert {one.id for one in found if one.joins} == set(outcome.verdicts)
        assert {one.id: one.score for one in found if one.joins} == {
            id_: verdict.score for id_, verdict in outcome.verdicts.items()
        }
        joined += outcome.state == "joined"
    assert joined == 9


def test_days_and_scopes_keep_apart_as_when_it_is_added() -> None:
    old = {"id": "old", "text": story("a"), "date": "2026-03-01", "desk": "sport"}
    config = Config(within_days=2, group_by=("desk",))
    store = deduper(SQLiteEngine(), config, clock=lambda: 1_772_500_000_000_000)  # 3 March 2026
    assert states([store.add(old)]) == ["new"]
    for changed, found in (
        ({"date": "2026-03-02"}, ["old"]),
        ({"date": None}, ["old"]),
        ({"date": "2026-03-09"}, []),
        ({"desk": "culture"}, []),
    ):
        assert [one.id for one in store.find({**old, "id": "new", **changed})] == found


def test_many_are_asked_with_two_reads_and_no_write(engine: Engine) -> None:
    watched = Watched(engine)
    found = deduper(watched).find_all([page("1", "a"), page("2", "abc"), page("3", "q")])
    assert [len(one) for one in found] == [2, 2, 0]
    assert watched.names == ["corrections", "candidates", "read"]
    assert deduper(watched).find_all([]) == []


def test_what_is_stored_without_its_text_is_looked_up_by_its_own_keys(engine: Engine) -> None:
    stored = engine.read(["whole"])["whole"]
    for store, more in ((Watched(engine), True), (Textless(engine), False)):
        assert said(deduper(store).find(stored)) == [("part", "contains")]
        ((asked,),) = store.given("candidates")
        assert (len(asked.keys) > len(stored.record.signature.keys)) == more
