"""A batch as it arrives: under which id each document belongs, what is known already, where it is cut."""

from dataclasses import replace

import pytest

from dupgroups.grouping.arrivals import Arrivals, sort_arrivals
from dupgroups.model import Document, Record
from grouping.values import document, ids, record


def is_another(new: Record, old: Record) -> bool:
    return False


def refuse(new: Record, old: Record) -> bool:
    raise AssertionError(f"{new.id} is asked about and is not a twin")


def sort(batch: list[Document], *stored: Record, same_page: object = refuse) -> Arrivals:
    return sort_arrivals(batch, {record.id: record for record in stored}, same_page)  # type: ignore[arg-type]


def names(documents: object) -> list[str]:
    return ids(document.record for document in documents)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("stored", "unchanged"),
    [
        (record("a", "12", print_="p", group="g", age=5), True),  # neither age nor group is looked at
        (record("a", "12", print_="q"), False),  # another title or text
        (record("a", "13", print_="p"), False),  # another signature: what is known of the template changed
        (record("a", "12", print_="p", scheme="t"), False),  # another configuration
        (replace(record("a", "12", print_="p"), published=7), True),  # the page says no date this time
    ],
)
def test_a_document_is_unchanged_when_fingerprint_and_signature_are(stored: Record, unchanged: bool) -> None:
    arrivals = sort([document("b"), document("a", "12", print_="p")], stored)
    assert arrivals.unchanged == ({"a"} if unchanged else set())
    assert names(arrivals.documents) == ["b", "a"]
    assert names(arrivals.changed) == (["b"] if unchanged else ["b", "a"])


def test_a_twin_of_an_unknown_page_stands_for_it() -> None:
    [page] = sort([document("page", twin="amp")]).changed
    assert (page.record.id, page.alternate_id) == ("page", "amp")


def test_a_twin_adds_nothing_to_its_page_unless_another_configuration_signed_that() -> None:
    asked = []

    def same_page(new: Record, old: Record) -> bool:
        asked.append((new.fingerprint, old.fingerprint))
        return True

    batch = [document("page", "2", twin="amp", print_="amp")]
    arrivals = sort(batch, record("page", "1", print_="canonical"), same_page=same_page)
    assert (names(arrivals.documents), arrivals.unchanged, arrivals.changed) == (["page"], {"page"}, [])
    assert asked == [("amp", "canonical")]
    arrivals = sort(batch, record("page", scheme="t"), same_page=same_page)
    assert (names(arrivals.changed), arrivals.unchanged) == (["page"], set())


def test_a_twin_of_another_story_comes_under_its_address() -> None:
    [moved] = sort([document("page", twin="amp")], record("page"), same_page=is_another).changed
    assert (moved.record.id, moved.record.group, moved.alternate_id) == ("amp", "amp", None)
    assert moved.record.canonical, "as its own address is all it has"
    assert moved.record.signature == document("page").record.signature
    stored = [record("page"), record("amp", "2", print_="p")]
    for print_, unchanged in (("p", {"amp"}), ("other", set())):
        batch = [document("page", "2", twin="amp", print_=print_)]
        assert sort(batch, *stored, same_page=is_another).unchanged == unchanged


@pytest.mark.parametrize(("batch", "first"), [("", 0), ("aba", 2), ("abcbca", 3), ("aaa", 1), ("cab", 3)])
def test_a_batch_is_cut_where_an_id_comes_again(batch: str, first: int) -> None:
    documents = [document(name, print_=str(place)) for place, name in enumerate(batch)]
    assert sort(documents) == Arrivals(tuple(documents[:first]))
    assert sort(documents).changed == documents[:first], "and stays in its order"
    known = sort([*documents[:1], *documents], *(record(name, print_="0") for name in batch[:1]))
    assert len(known.documents) == min(1, len(batch)), "what is unchanged takes its id, too"
