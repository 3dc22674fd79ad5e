"""The contract of `dupgroups.engines.base`, on every engine: storing, looking up, forgetting.

Groups and searching have files of their own, `test_group_contract.py` and `test_search_contract.py`.
"""

from __future__ import annotations

import pytest

from dupgroups.engines import Engine
from dupgroups.errors import EngineError
from dupgroups.model import Content, Copy, Document, Record, Signature, Tie
from engines.documents import document, found, groups, ids, search, signature

# -- put, get


def test_every_field_comes_back_as_it_was_put(engine: Engine) -> None:
    full = Document(
        Record(
            "a",
            "a",
            "www.example.org",
            Signature("s1", ("k2", "k1"), b"\x00\xff"),
            1_700_000_000_123_456,
            2**53,
            "f0",
            length=123,
            canonical=False,
            published=-20_000,
        ),
        Content(
            "First.\nSecond.",
            "Title",
            "2026-05-04T10:00:00",
            "en",
            "https://example.org/a?b=1",
            "The Site",
            0.25,
            "A. Lee, 李明",
            "https://cdn.example.org/a.jpg",
            '{"tenant": "ÄCME"}',
        ),
    )
    bare = Document(Record("b", "b", "", Signature("s1")), Content(""))
    engine.put([full, bare])
    engine.refresh()
    assert list(engine.scan()) == [full, bare]
    assert engine.get(["b", "a"]) == {"a": full.record, "b": bare.record}


def test_what_tied_a_document_is_kept_with_it(engine: Engine) -> None:
    ties = (Tie("b", "duplicate", 0.9312), Tie("an id\nwith blanks", "contains", 0.25))
    engine.put([document("a", keys=["k"], ties=ties), document("b", keys=["k"])])
    (found_by,) = engine.candidates([signature("k")], limit=9)
    assert {record.id: record.ties for record in found_by} == {"a": ties, "b": ()}
    engine.put([], moves={"a": "b"})
    engine.touch(["a"], 9)
    engine.refresh()
    assert (engine.get(["a"])["a"].group, engine.get(["a"])["a"].ties) == ("b", ties)
    assert engine.read(["a"])["a"].record.ties == ties
    engine.put([document("a")])
    assert engine.get(["a"])["a"].ties == ()


def test_an_empty_store_answers_everything(engine: Engine) -> None:
    engine.put([])
    engine.touch(["nobody"], 5)
    engine.delete(["nobody"])
    assert engine.get(["nobody"]) == {}
    assert engine.get([]) == {}
    assert engine.candidates([], limit=5) == []
    assert engine.candidates([signature("k")], limit=5) == [[]]
    assert engine.members(["nobody"]) == {"nobody": []}
    assert engine.resolve(["nobody"]) == {"nobody": "nobody"}
    assert engine.copies("nobody") == []
    assert list(engine.scan()) == []
    assert search(engine, "anything").hits == ()
    assert search(engine).documents == 0


def test_what_put_returned_from_is_seen_at_once(engine: Engine) -> None:
    for number in range(3):
        one = document(f"d{number}", "d0", keys=["k"], seen=number)
        engine.put([one])
        assert engine.get([one.record.id]) == {one.record.id: one.record}
        assert ids(engine.candidates([signature("k")], limit=9)[0])[-1] == one.record.id
        assert groups(engine, "d0")["d0"][-1] == one.record.id


def test_put_twice_is_once(engine: Engine) -> None:
    one = document("a", keys=["k"], title="Flood", text="water")
    engine.put([one])
    engine.put([one, one])
    assert ids(engine.candidates([signature("k")], limit=9)[0]) == ["a"]
    assert search(engine, "flood").documents == 1
    assert list(engine.scan()) == [one]


def test_put_replaces_all_of_the_former_version(engine: Engine) -> None:
    engine.put([document("a", keys=["old", "both"], title="Flood", text="water", language="en")])
    engine.put(
        [document("a", "b", keys=["both", "new"], title="Fire", text="smoke", language="de", scheme="s1")]
    )
    found_by = engine.candidates([signature("old"), signature("both"), signature("new")], limit=9)
    assert [ids(records) for records in found_by] == [[], ["a"], ["a"]]
    assert groups(engine, "a", "b") == {"a": [], "b": ["a"]}
    assert (found(engine, "flood"), found(engine, "fire")) == ([], ["a"])
    assert found(engine, language="en") == []


def test_the_last_of_two_versions_in_one_batch_stays(engine: Engine) -> None:
    engine.put([document("a", keys=["old"], text="one"), document("a", keys=["new"], text="two")])
    assert [ids(records) for records in engine.candidates([signature("old"), signature("new")], limit=9)] == [
        [],
        ["a"],
    ]
    assert (found(engine, "one"), found(engine, "two")) == ([], ["a"])


def test_a_document_with_another_scheme_leaves_the_former_one(engine: Engine) -> None:
    engine.put([document("a", keys=["k"], scheme="s1")])
    engine.put([document("a", keys=["k"], scheme="s2")])
    asked = [signature("k", scheme="s1"), signature("k", scheme="s2")]
    assert [ids(records) for records in engine.candidates(asked, limit=9)] == [[], ["a"]]


def test_batches_of_three_hundred(engine: Engine) -> None:
    batch = [
        document(f"d{n:03}", f"d{n // 3 * 3:03}", keys=[f"k{n // 3}"], seen=n, text=f"number{n}")
        for n in range(300)
    ]
    engine.put(batch)
    looked_up = engine.candidates([stored.record.signature for stored in batch], limit=9)
    assert [ids(records) for records in looked_up] == [
        [f"d{n // 3 * 3 + i:03}" for i in range(3)] for n in range(300)
    ]
    assert len(engine.get([stored.record.id for stored in batch])) == 300
    engine.refresh()
    assert list(engine.scan()) == batch
    assert search(engine, "number299").documents == 1


IDS = [
    *(
        "plain",
        "ÄÖÜ-ß",
        "北京/大学",
        "emoji-🙂",
        "with blank",
        "quote\"'`",
        "back\\slash",
        "a%2Fb",
        "*",
        "_all",
        "..",
    ),
    *("x" * 400, "https://example.org/a?b=c&d=e#f", "{}", "tab\there", "-1", "é" * 100),
]


def test_ids_are_any_text(engine: Engine) -> None:
    engine.put([document(id_, keys=["k"], seen=n) for n, id_ in enumerate(IDS)])
    assert sorted(engine.get(IDS)) == sorted(IDS)
    assert ids(engine.candidates([signature("k")], limit=99)[0]) == sorted(IDS)
    assert groups(engine, *IDS) == {id_: [id_] for id_ in IDS}
    engine.refresh()
    assert [stored.record.id for stored in engine.scan()] == sorted(IDS)
    engine.delete(IDS)
    assert engine.get(IDS) == {}


def test_a_very_long_text_is_stored_and_found(engine: Engine) -> None:
    text = "water " * 400_000 + "lighthouse " + "x" * 100_000
    engine.put([document("a", title="t" * 40_000, text=text, url="https://example.org/" + "u" * 40_000)])
    engine.refresh()
    assert next(iter(engine.scan())).content.text == text
    assert found(engine, "lighthouse") == ["a"]


def test_many_keys_are_looked_up_at_once(engine: Engine) -> None:
    engine.put([document("a", keys=[f"k{n}" for n in range(200)]), document("b", keys=["k7"])])
    asked = Signature("s1", tuple(f"k{n}" for n in range(1000)))
    assert ids(engine.candidates([asked], limit=9)[0]) == ["a", "b"]


def test_a_lone_surrogate_is_replaced(engine: Engine) -> None:
    engine.put(
        [
            document(
                "a", keys=["k"], title="flood \ud800", text="water\udfff", site="s\ud800", author="J\ud800"
            )
        ]
    )
    engine.refresh()
    stored = next(iter(engine.scan())).content
    assert "flood" in stored.title
    for text in (stored.title, stored.text, stored.site or "", stored.author):
        text.encode("utf-8")
    assert found(engine, "water") == ["a"]


@pytest.mark.parametrize("bad", ["", "id\ud800"])
def test_an_impossible_id_fails_alone(engine: Engine, bad: str) -> None:
    with pytest.raises(EngineError) as raised:
        engine.put([document("a", keys=["k"]), document(bad, "g", keys=["k"]), document("b", keys=["k"])])
    assert list(raised.value.failures) == [bad]
    assert all(raised.value.failures.values())
    assert ids(engine.candidates([signature("k")], limit=9)[0]) == ["a", "b"]


# -- candidates


def test_candidates_share_most_first_then_by_id(engine: Engine) -> None:
    engine.put(
        [
            document("d", keys=["1", "2", "3"]),
            document("c", keys=["1"]),
            document("b", keys=["1", "9"]),
            document("a", keys=["2", "3"]),
            document("e", keys=["9"]),
        ]
    )
    nearest, limited, none = engine.candidates(
        [signature("1", "2", "3"), signature("9"), signature("8")], limit=9
    )
    assert (ids(nearest), ids(limited), none) == (["d", "a", "b", "c"], ["b", "e"], [])
    assert ids(engine.candidates([signature("1", "2", "3")], limit=2)[0]) == ["d", "a"]
    assert ids(engine.candidates([signature("1", "2", "3")], limit=3)[0]) == ["d", "a", "b"]


def test_candidates_are_whole_records(engine: Engine) -> None:
    one = document(
        "a", "g", keys=["k", "l"], body=b"\x01\x02", host="h", seen=3, last_seen=4, fingerprint="f"
    )
    engine.put([one])
    assert engine.candidates([signature("k")], limit=1) == [[one.record]]


def test_a_key_counts_once(engine: Engine) -> None:
    engine.put([document("a", keys=["1", "2"]), document("b", keys=["2", "3", "3"])])
    assert ids(engine.candidates([signature("2", "3", "1", "1", "1")], limit=9)[0]) == ["a", "b"]


def test_schemes_never_meet(engine: Engine) -> None:
    engine.put([document("a", keys=["k"], scheme="s1"), document("b", keys=["k"], scheme="s2")])
    asked = [signature("k", scheme=scheme) for scheme in ("s1", "s2", "s3", "")]
    assert [ids(records) for records in engine.candidates(asked, limit=9)] == [["a"], ["b"], [], []]


def test_empty_signatures_match_nothing(engine: Engine) -> None:
    engine.put([document("a"), document("b", keys=["k"])])
    assert engine.candidates([Signature("s1"), signature("k"), Signature("s1")], limit=9)[::2] == [[], []]


def test_hostile_keys(engine: Engine) -> None:
    keys = ["'", '"', "a b", "*", "北京", "\\", "{}", "k" * 200]
    engine.put([document(f"d{n}", keys=[key]) for n, key in enumerate(keys)])
    assert [ids(records) for records in engine.candidates([signature(key) for key in keys], limit=9)] == [
        [f"d{n}"] for n in range(len(keys))
    ]


def test_read_gives_back_what_was_put(engine: Engine) -> None:
    full = document(
        "a", "b", keys=["k"], body=b"\0x", title="T", text="t\nu", date="2026-01-02", language="en"
    )
    bare = document("b")
    engine.put([full, bare])
    assert engine.read(["b", "nobody", "a", "", "x" * 600]) == {"b": bare, "a": full}
    assert engine.read([]) == {}
    site = document("a", url="https://example.org/a", site="Example", seen=3)
    engine.put([site])
    assert engine.read(["a"]) == {"a": site}, "at once, refreshed or not"


def test_documents_of_other_schemes_are_counted(engine: Engine) -> None:
    assert engine.outdated(["s1"]) == 0
    engine.put(
        [document("a", keys=["k"]), document("b"), document("c", scheme="s 2"), document("d", scheme="s3")]
    )
    engine.refresh()
    counts = {("s1",): 2, ("s1", "s 2"): 1, ("s1", "s 2", "s3", "s4"): 0, (): 4}
    assert {schemes: engine.outdated(schemes) for schemes in counts} == counts


# -- touch, delete, scan, close


def test_touch_sets_only_when_it_was_last_seen(engine: Engine) -> None:
    one, two = document("a", keys=["k"], title="Flood", seen=1), document("b", seen=1)
    engine.put([one, two])
    engine.touch(["a", "nobody"], 77)
    stored = engine.get(["a", "b"])
    assert (stored["a"].last_seen, stored["b"].last_seen) == (77, 1)
    assert (stored["a"].first_seen, stored["a"].signature) == (1, one.record.signature)
    assert found(engine, "flood") == ["a"]


def test_delete_forgets_in_every_place(engine: Engine) -> None:
    engine.put([document("a", keys=["k"], text="water"), document("b", "a", keys=["k"], text="water")])
    engine.delete(["a", "nobody"])
    assert list(engine.get(["a", "b"])) == ["b"]
    assert ids(engine.candidates([signature("k")], limit=9)[0]) == ["b"]
    assert groups(engine, "a") == {"a": ["b"]}
    assert found(engine, "water") == ["b"]
    engine.refresh()
    assert [stored.record.id for stored in engine.scan()] == ["b"]


def test_a_deleted_document_can_come_again(engine: Engine) -> None:
    one = document("a", keys=["k"], text="water")
    engine.put([one])
    engine.delete(["a"])
    engine.put([one])
    assert ids(engine.candidates([signature("k")], limit=9)[0]) == ["a"]
    assert found(engine, "water") == ["a"]


def test_scan_goes_by_id_and_starts_after_the_one_given(engine: Engine) -> None:
    names = [f"d{n:04}" for n in range(1100)]
    engine.put([document(name) for name in reversed(names)])
    engine.refresh()
    assert [stored.record.id for stored in engine.scan()] == names
    assert [stored.record.id for stored in engine.scan(after="d1050")] == names[1051:]
    assert [stored.record.id for stored in engine.scan(after="d1050x")] == names[1051:]
    assert list(engine.scan(after="d1099")) == []


def test_a_scan_may_be_written_under(engine: Engine) -> None:
    names = [f"d{n:04}" for n in range(600)]
    engine.put([document(name) for name in names])
    engine.refresh()
    seen = []
    for stored in engine.scan():
        if len(seen) % 40 == 0:
            engine.touch([stored.record.id], 5)
        seen.append(stored.record.id)
    assert seen == names
    assert {record.last_seen for record in engine.get(names[::40]).values()} == {5}


def test_copies_are_the_members_for_display(engine: Engine) -> None:
    engine.put(
        [
            document(
                "b",
                "a",
                seen=2,
                title="Two",
                site="Site B",
                url="https://b.org/",
                date="2026-01-02",
                language="en",
                author="A. Lee, B. Kim",
                image="https://b.org/b.jpg",
            ),
            document("a", seen=1, title="One", host="a.org"),
        ]
    )
    first, second = engine.copies("a")
    assert first == Copy("a", "One", None, "a.org", None, "")
    assert second == Copy(
        "b", "Two", "https://b.org/", "Site B", "2026-01-02", "en", "A. Lee, B. Kim", "https://b.org/b.jpg"
    )
    assert engine.copies("a", limit=1) == [first]
    (hit,) = search(engine).hits
    assert {hit.shown, *hit.copies} == {first, second}


def test_check_is_well_in_a_sound_store_and_says_when_not(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a")])
    engine.refresh()
    assert [check for check in engine.check() if not check.ok] == []
    engine.delete(["a"])
    engine.refresh()
    assert [check.name for check in engine.check() if not check.ok] == ["heads"]


def test_the_name_opens_the_same_engine(engine: Engine, engine_url: str) -> None:
    assert engine.name == engine_url


def test_close_may_come_twice(engine: Engine) -> None:
    engine.put([document("a")])
    engine.close()
    engine.close()
