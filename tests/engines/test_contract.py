"""The contract of `dupgroups.engines.base`, on every engine: storing, looking up, forgetting.

Groups and searching have files of their own, `test_group_contract.py` and `test_search_contract.py`.
"""

from collections import Counter
from dataclasses import asdict

import pytest

from dupgroups import Deduper
from dupgroups.engines import Engine
from dupgroups.errors import EngineError
from dupgroups.model import Content, Copy, Document, Facet, Page, Record, Signature, Statistics, Tie
from dupgroups.text.facts import join_title
from engines.documents import document, found, groups, ids, ill, search, signature
from stories import story


def met(engine: Engine, *asked: Signature, limit: int = 9) -> list[list[str]]:
    """The ids of the candidates of each signature."""
    return [ids(records) for records in engine.candidates(asked, limit=limit)]


# -- put, get


FULL = Document(
    Record(
        *("a", "a", "www.example.org", Signature("s1", ("k2", "k1"), b"\x00\xff")),
        *(1_700_000_000_123_456, 2**53, "f0"),
        length=123,
        canonical=False,
        published=-20_000,
    ),
    Content(
        *("First.\nSecond.", "Title", "2026-05-04T10:00:00", "en", "https://example.org/a?b=1", "The Site"),
        *(0.25, "A. Lee, 李明", "https://cdn.example.org/a.jpg", '{"tenant": "ÄCME"}'),
        *("Halvern Wire", "Halvern Media"),
    ),
)


def test_every_field_comes_back_as_it_was_put(engine: Engine) -> None:
    bare = Document(Record("b", "b", "", Signature("s1")), Content(""))
    assert "" not in asdict(FULL.content).values()
    engine.put([FULL, bare])
    assert engine.get(["b", "a"]) == {"a": FULL.record, "b": bare.record}
    assert engine.read(["b", "nobody", "a", "", "x" * 600]) == {"b": bare, "a": FULL}
    assert engine.candidates([signature("k1")], limit=1) == [[FULL.record]]
    engine.refresh()
    assert list(engine.scan()) == [FULL, bare]


def test_what_tied_a_document_is_kept_with_it(engine: Engine) -> None:
    ties = (Tie("b", "duplicate", 0.9312), Tie("an id\nwith blanks", "contains", 0.25))
    engine.put([document("a", keys=["k"], ties=ties), document("b", keys=["k"])])
    (found_by,) = engine.candidates([signature("k")], limit=9)
    assert {record.id: record.ties for record in found_by} == {"a": ties, "b": ()}
    engine.put([], moves={"a": "b"})
    engine.touch(["a"], 9)
    assert (engine.get(["a"])["a"].group, engine.get(["a"])["a"].ties) == ("b", ties)
    assert engine.read(["a"])["a"].record.ties == ties
    engine.put([document("a")])
    assert engine.get(["a"])["a"].ties == ()


def test_an_empty_store_answers_everything(engine: Engine) -> None:
    engine.put([])
    engine.touch(["nobody"], 5)
    engine.delete(["nobody"])
    assert engine.get(["nobody"]) == engine.get([]) == engine.read([]) == {}
    assert engine.candidates([], limit=5) == []
    assert engine.candidates([signature("k")], limit=5) == [[]]
    assert engine.members(["nobody"]) == {"nobody": []}
    assert engine.resolve(["nobody"]) == {"nobody": "nobody"}
    assert engine.copies("nobody") == list(engine.scan()) == list(engine.memberships()) == []
    assert (search(engine, "anything").hits, search(engine).documents, engine.count_outdated(["s1"])) == (
        (),
        0,
        0,
    )


def test_put_replaces_all_of_the_former_version(engine: Engine) -> None:
    engine.put([document("a", keys=["old", "both"], title="Flood", text="water", language="en")])
    new = document("a", "b", keys=["both", "new"], title="Fire", text="smoke", language="de")
    engine.put([new])
    engine.put([new, new])  # once more is once
    assert met(engine, signature("old"), signature("both"), signature("new")) == [[], ["a"], ["a"]]
    assert groups(engine, "a", "b") == {"a": [], "b": ["a"]}
    assert (found(engine, "flood"), found(engine, "fire"), found(engine, language="en")) == ([], ["a"], [])
    assert list(engine.scan()) == [new]
    engine.put([document("a", keys=["both"], scheme="s2")])
    assert met(engine, signature("both"), signature("both", scheme="s2")) == [[], ["a"]]


def test_the_last_of_two_versions_in_one_batch_stays(engine: Engine) -> None:
    engine.put([document("a", keys=["old"], text="one"), document("a", keys=["new"], text="two")])
    assert met(engine, signature("old"), signature("new")) == [[], ["a"]]
    assert (found(engine, "one"), found(engine, "two")) == ([], ["a"])


IDS = [
    *("ÄÖÜ-ß", "北京/大学", "emoji-🙂", "with blank", "quote\"'`", "back\\slash", "a%2Fb", "*", "_all", ".."),
    *("x" * 400, "https://example.org/a?b=c&d=e#f", "{}", "tab\there", "-1", "é" * 100),
]


def test_ids_and_keys_are_any_text(engine: Engine) -> None:
    engine.put([document(id_, keys=["k", id_[:200]], seen=n) for n, id_ in enumerate(IDS)])
    assert sorted(engine.get(IDS)) == sorted(IDS)
    assert met(engine, signature("k"), limit=99) == [sorted(IDS)]
    assert met(engine, *(signature(id_[:200]) for id_ in IDS)) == [[id_] for id_ in IDS]
    assert groups(engine, *IDS) == {id_: [id_] for id_ in IDS}
    engine.refresh()
    assert [stored.record.id for stored in engine.scan()] == sorted(IDS)
    engine.delete(IDS)
    assert engine.get(IDS) == {}


def test_a_very_long_text_is_stored_and_found(engine: Engine) -> None:
    text = "water " * 400_000 + "lighthouse " + "x" * 100_000
    engine.put([document("a", title="t" * 40_000, text=text, url="https://example.org/" + "u" * 40_000)])
    assert engine.read(["a"])["a"].content.text == text
    assert found(engine, "lighthouse") == ["a"]


def test_a_lone_surrogate_is_replaced_in_the_content(engine: Engine) -> None:
    engine.put([document("a", title="flood \ud800", text="water\udfff", site="s\ud800", author="J\ud800")])
    stored = engine.read(["a"])["a"].content
    assert (stored.title, stored.text, stored.site, stored.author) == ("flood ?", "water?", "s?", "J?")
    assert found(engine, "water") == ["a"]


def test_impossible_ids_fail_alone(engine: Engine) -> None:
    bad = ["", "id\ud800"]
    with pytest.raises(EngineError) as raised:
        engine.put([document(id_, "g", keys=["k"]) for id_ in ("a", *bad, "b")])
    assert list(raised.value.failures) == bad
    assert all(raised.value.failures.values())
    assert met(engine, signature("k")) == [["a", "b"]]


# -- candidates


def test_candidates_share_most_first_then_by_id(engine: Engine) -> None:
    keys = {"d": "123", "c": "1", "b": "19", "a": "23", "e": "9"}
    engine.put([document(id_, keys=held) for id_, held in keys.items()])
    asked = [signature("1", "2", "3"), signature("9"), signature("8")]
    assert met(engine, *asked) == [["d", "a", "b", "c"], ["b", "e"], []]
    assert met(engine, asked[0], limit=3) == [["d", "a", "b"]]
    assert met(engine, signature("3", "1", "1", "1", "9")) == [["b", "d", "a", "c", "e"]], "a key counts once"


def test_schemes_never_meet_and_empty_signatures_match_nothing(engine: Engine) -> None:
    engine.put([document("a", keys=["k"]), document("b", keys=["k"], scheme="s2"), document("c")])
    asked = [*(signature("k", scheme=scheme) for scheme in ("s1", "s2", "s3", "")), Signature("s1")]
    assert met(engine, *asked) == [["a"], ["b"], [], [], []]


def test_documents_that_share_fewer_keys_than_the_scheme_asks_for_are_no_candidates(engine: Engine) -> None:
    scheme = "s1 shared_keys=2"
    keys = {"a": "1", "b": "12", "c": "23", "d": "129", "e": "123"}
    engine.put([document(id_, keys=held, scheme=scheme) for id_, held in keys.items()])
    asked = [signature(*wanted, scheme=scheme) for wanted in ("123", "1", "11", "19")]
    assert met(engine, *asked) == [["e", "b", "c", "d"], [], [], ["d"]]
    assert met(engine, signature("1")) == [[]], "another scheme"


def test_documents_of_other_schemes_are_counted(engine: Engine) -> None:
    schemes = {"a": "s1", "b": "s1", "c": "s 2", "d": "s3"}
    engine.put([document(id_, scheme=scheme) for id_, scheme in schemes.items()])
    engine.refresh()
    counts = {("s1",): 2, ("s1", "s 2"): 1, ("s1", "s 2", "s3", "s4"): 0, (): 4}
    assert {known: engine.count_outdated(known) for known in counts} == counts


# -- touch, delete, scan, close


def test_touch_sets_only_when_it_was_last_seen(engine: Engine) -> None:
    one, two = document("a", keys=["k"], title="Flood", seen=1), document("b", seen=1)
    engine.put([one, two])
    engine.touch(["a", "nobody"], 77)
    stored = engine.get(["a", "b"])
    assert (stored["a"].last_seen, stored["b"].last_seen) == (77, 1)
    assert (stored["a"].first_seen, stored["a"].signature) == (1, one.record.signature)
    assert found(engine, "flood") == ["a"]


def test_delete_forgets_in_every_place_until_a_document_comes_again(engine: Engine) -> None:
    one = document("a", keys=["k"], text="water")
    engine.put([one, document("b", "a", keys=["k"], text="water", seen=2)])
    engine.delete(["a", "nobody"])
    assert list(engine.get(["a", "b"])) == ["b"]
    assert met(engine, signature("k")) == [["b"]]
    assert groups(engine, "a") == {"a": ["b"]}
    assert found(engine, "water") == ["b"]
    assert [stored.record.id for stored in engine.scan()] == ["b"]
    engine.put([one])
    assert met(engine, signature("k")) == [["a", "b"]]
    assert sorted(found(engine, "water")) == ["a", "b"]


def test_scan_goes_by_id_and_starts_after_the_one_given(engine: Engine) -> None:
    names = [f"d{n:04}" for n in range(1100)]
    engine.put([document(name) for name in reversed(names)])
    engine.refresh()
    for after, rest in {"d1050": names[1051:], "d1050x": names[1051:], "d1099": []}.items():
        assert [stored.record.id for stored in engine.scan(after=after)] == rest
    seen = []
    for stored in engine.scan():  # it may be written under
        if len(seen) % 40 == 0:
            engine.touch([stored.record.id], 5)
        seen.append(stored.record.id)
    assert seen == names
    assert {record.last_seen for record in engine.get(names[::40]).values()} == {5}


def test_copies_are_the_members_for_display(engine: Engine) -> None:
    second = Copy(
        "b", "T", "https://b.org/", "S", "2026-01-02", "en", "A. Lee, B. Kim", "https://b.org/b.jpg", "B Ltd"
    )
    shown = {name: value for name, value in asdict(second).items() if name != "id"}
    engine.put([document("b", "a", seen=2, **shown), document("a", seen=1, title="One", host="a.org")])
    first = Copy("a", "One", None, "a.org", None, "")
    assert engine.copies("a") == [first, second]
    assert engine.copies("a", limit=1) == [first]
    (hit,) = search(engine).hits
    assert {hit.shown, *hit.copies} == {first, second}


def test_a_document_without_text_is_no_hit_but_among_all_documents(engine: Engine) -> None:
    engine.put([document(id_, title="Ferry", length=length) for id_, length in (("a", 0), ("b", 9))])
    for text in ("", "ferry"):
        for filters in ({}, {"site": "example.org"}):
            for mode, shown in (("collapse", ["b"]), ("head", ["b"]), ("all", ["a", "b"])):
                assert sorted(found(engine, text, mode=mode, **filters)) == shown
                assert search(engine, text, mode=mode, **filters).documents == len(shown)


def test_check_is_well_in_a_sound_store_and_says_when_not(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a")])
    engine.refresh()
    assert ill(engine) == []
    engine.delete(["a"])
    engine.refresh()
    assert ill(engine) == ["main copies"]


def test_the_name_opens_the_same_engine_and_close_may_come_twice(engine: Engine, engine_url: str) -> None:
    assert engine.name == engine_url
    engine.close()
    engine.close()


def test_the_texts_of_documents_are_read_alone(engine: Engine) -> None:
    engine.put([FULL, document("b", text="Water.")])
    assert engine.keeps_text
    assert engine.texts(["b", "nobody", "a"]) == {
        "b": "Water.",
        "a": join_title(FULL.content.title, FULL.content.text),
    }
    assert engine.texts([]) == {}


# -- figures


def test_the_figures_are_those_of_the_documents(engine: Engine) -> None:
    assert engine.statistics() == Statistics()
    deduper = Deduper(engine)
    pages = [
        Page(url=f"https://{'ab'[number % 2]}.example.org/{name}/{number}", text=story(name))
        for name, copies in (("one", 5), ("two", 2), ("three", 1), ("four", 1))
        for number in range(copies)
    ]
    deduper.add_all(pages)
    deduper.regroup()
    engine.refresh()
    documents = list(engine.scan())
    groups = Counter(document.record.group for document in documents)
    found = engine.statistics()
    assert found.documents == len(documents) == 9
    assert found.sizes == Counter(groups.values()) == {5: 1, 2: 1, 1: 2}
    assert found.groups == 4
    assert found.states == {"alone": 2, "first": 2, "copy": 5}
    assert found.largest_sites == (Facet("a.example.org", 6), Facet("b.example.org", 3))
    assert found.sites == 2
    assert found.last_seen == max(document.record.last_seen for document in documents)
    assert (found.unsettled, found.redirects) == (0, 0)
    engine.put([], moves={documents[0].record.group: documents[-1].record.group})
    list(engine.redirects())  # refreshes them
    assert engine.statistics().redirects == 1
