"""A batch as it arrives: under which id each document belongs, what is known already, where it is cut."""

from __future__ import annotations

import pytest

from dupgroups.grouping import Arrivals, sort_arrivals
from dupgroups.model import Document, Record
from grouping.values import document, ids, record


def is_one(new: Record, old: Record) -> bool:
    return True


def is_another(new: Record, old: Record) -> bool:
    return False


def refuse(new: Record, old: Record) -> bool:
    raise AssertionError(f"{new.id} is asked about and is not a twin")


def sort(batch: list[Document], *stored: Record, same_page: object = refuse) -> Arrivals:
    return sort_arrivals(batch, {record.id: record for record in stored}, same_page)  # type: ignore[arg-type]


def names(documents: object) -> list[str]:
    return ids(document.record for document in documents)  # type: ignore[attr-defined]


def test_an_empty_batch() -> None:
    assert sort([]) == Arrivals(())
    assert sort([]).changed == []


def test_new_documents_stay_in_their_order() -> None:
    batch = [document(name) for name in "cab"]
    arrivals = sort(batch)
    assert arrivals == Arrivals(tuple(batch))
    assert arrivals.changed == batch


@pytest.mark.parametrize(
    ("stored", "unchanged"),
    [
        (record("a", "12", print_="p", group="g", age=5), True),  # neither age nor group is looked at
        (record("a", "12", print_="q"), False),  # another title or text
        (record("a", "13", print_="p"), False),  # another signature: what is known of the template changed
        (record("a", "12", print_="p", scheme="t"), False),  # another configuration
    ],
)
def test_a_document_is_unchanged_when_fingerprint_and_signature_are(stored: Record, unchanged: bool) -> None:
    arrivals = sort([document("b"), document("a", "12", print_="p")], stored)
    assert arrivals.unchanged == ({"a"} if unchanged else set())
    assert names(arrivals.documents) == ["b", "a"]
    assert names(arrivals.changed) == (["b"] if unchanged else ["b", "a"])


def test_a_twin_of_an_unknown_page_stands_for_it() -> None:
    arrivals = sort([document("page", twin="amp")])
    assert (names(arrivals.documents), arrivals.unchanged) == (["page"], set())
    assert arrivals.documents[0].twin == "amp"


def test_a_twin_adds_nothing_to_its_page() -> None:
    stored = record("page", "1", print_="canonical")
    arrivals = sort([document("page", "2", twin="amp", print_="amp")], stored, same_page=is_one)
    assert (names(arrivals.documents), arrivals.unchanged, arrivals.changed) == (["page"], {"page"}, [])


def test_a_twin_of_a_page_that_another_configuration_signed_is_written_in_its_place() -> None:
    stored = record("page", scheme="t")
    arrivals = sort([document("page", twin="amp")], stored, same_page=is_one)
    assert (names(arrivals.changed), arrivals.unchanged) == (["page"], set())


def test_a_twin_of_another_story_comes_under_its_address() -> None:
    arrivals = sort([document("page", twin="amp")], record("page"), same_page=is_another)
    [moved] = arrivals.changed
    assert (moved.record.id, moved.record.group, moved.twin) == ("amp", "amp", None)
    assert moved.record.signature == document("page").record.signature


def test_a_twin_that_came_before_under_its_address_is_unchanged() -> None:
    stored = [record("page"), record("amp", "2", print_="p")]
    batch = [document("page", "2", twin="amp", print_="p")]
    assert sort(batch, *stored, same_page=is_another).unchanged == {"amp"}
    batch = [document("page", "2", twin="amp", print_="other")]
    assert names(sort(batch, *stored, same_page=is_another).changed) == ["amp"]


def test_whether_a_twin_is_its_page_is_asked_of_the_new_record_and_then_the_stored_one() -> None:
    asked = []

    def same_page(new: Record, old: Record) -> bool:
        asked.append((new.fingerprint, old.fingerprint))
        return True

    sort([document("page", twin="amp", print_="new")], record("page", print_="old"), same_page=same_page)
    assert asked == [("new", "old")]


@pytest.mark.parametrize(
    ("batch", "first"),
    [("aba", "ab"), ("aab", "a"), ("abcbca", "abc"), ("aaa", "a"), ("abc", "abc")],
)
def test_a_batch_is_cut_where_an_id_comes_again(batch: str, first: str) -> None:
    documents = [document(name, print_=str(place)) for place, name in enumerate(batch)]
    arrivals = sort(documents)
    assert arrivals.documents == tuple(documents[: len(first)])


def test_an_unchanged_document_takes_its_id_too() -> None:
    arrivals = sort([document("a"), document("a", print_="new")], record("a"))
    assert (arrivals.unchanged, len(arrivals.documents)) == ({"a"}, 1)


def test_the_cut_is_made_by_the_ids_under_which_they_belong() -> None:
    """A twin of another story, and a page that has the id which it gets: two documents of one id."""
    batch = [document("page", twin="amp"), document("amp", print_="own")]
    for order in (batch, batch[::-1]):
        arrivals = sort(order, record("page"), same_page=is_another)
        assert names(arrivals.documents) == ["amp"]


def test_two_twins_of_another_story_are_two_documents() -> None:
    batch = [document("page", twin="amp"), document("page", twin="print")]
    arrivals = sort(batch, record("page"), same_page=is_another)
    assert names(arrivals.documents) == ["amp", "print"]
