"""The contract of groups, moves, redirects and heads, on every engine."""

from dupgroups.engines import Engine
from dupgroups.model import Membership, Seen
from engines.documents import document, found, groups, ids, ill, search


def test_members_stand_oldest_first_then_by_id_and_a_limit_keeps_the_oldest(engine: Engine) -> None:
    ages = {"d": 2, "c": 3, "b": 2, "a": 9}
    engine.put([document(id_, "a", seen=age) for id_, age in ages.items()] + [document("z", seen=1)])
    assert groups(engine, "a", "b") == {"a": ["b", "d", "c", "a"], "b": []}
    engine.refresh()
    engine.put([document("c", "a", seen=1), document("late", "a", seen=1)])
    found = engine.members(["a", "z", "nobody"], limit=3)
    assert [ids(records) for records in found.values()] == [["c", "late", "b"], ["z"], []]


def test_a_move_relabels_all_members_and_leaves_a_redirect(engine: Engine) -> None:
    engine.put([document("a"), document("b", seen=2), document("c", "b", seen=3), document("z", seen=4)])
    engine.put([document("d", "a", seen=5)], moves={"b": "a"})
    assert groups(engine, "a", "b", "z") == {"a": ["a", "b", "c", "d"], "b": [], "z": ["z"]}
    assert {record.group for record in engine.get(["a", "b", "c", "d"]).values()} == {"a"}
    assert engine.resolve(["b", "a", "c", "z"]) == {"b": "a", "a": "a", "c": "c", "z": "z"}


def test_redirects_are_followed_to_their_end(engine: Engine) -> None:
    for number, calls in enumerate(
        (
            "a>b b>c c>d",  # through later moves
            "b>d a>b,c>b",  # to where a winner went that was merged away
            "a>b,b>c,c>d",  # through the moves of one call
            "a>d,b>d a>d,b>d,c>d",  # a move again changes nothing
        )
    ):
        a, b, c, d = ids = [f"{name}{number}" for name in "abcd"]
        engine.put([document(id_) for id_ in ids])
        for call in calls.split():
            moves = [move.split(">") for move in call.split(",")]
            engine.put([], moves={f"{loser}{number}": f"{winner}{number}" for loser, winner in moves})
        assert engine.resolve(ids) == dict.fromkeys(ids, d), calls
        assert groups(engine, *ids) == {a: [], b: [], c: [], d: ids}, calls


def test_a_group_that_moves_again_goes_where_it_moves_now(engine: Engine) -> None:
    engine.put([document(id_) for id_ in "abcz"])
    engine.put([], moves={"b": "z"})
    engine.put([], moves={"c": "b", "b": "a"})
    assert engine.resolve([*"abcz"]) == {"a": "a", "b": "a", "c": "a", "z": "z"}


def test_moves_never_make_a_circle(engine: Engine) -> None:
    engine.put([document(id_) for id_ in "abc"])
    engine.put([], moves={"b": "a"})
    engine.put([], moves={"a": "b"})
    engine.put([], moves={"c": "c"})
    engine.put([], moves={"a": "c", "c": "a"})
    engine.put([], moves={"a": "b", "b": "b"})
    assert engine.resolve(["a", "b", "c"]) == {"a": "a", "b": "a", "c": "c"}
    assert groups(engine, "a", "c") == {"a": ["a", "b"], "c": ["c"]}


def former_names(engine: Engine, *wanted: str) -> list[list[str]]:
    redirects = sorted(engine.redirects())  # which a cluster refreshes for it
    found = [engine.former_names(group) for group in wanted]
    assert found == [[name for name, winner in redirects if winner == group] for group in wanted]
    return found


def test_a_group_knows_its_former_names(engine: Engine) -> None:
    engine.put([document(id_) for id_ in "abcdef"])
    engine.put([], moves={"c": "b", "d": "b"})
    assert former_names(engine, "a", "b", "c", "nobody") == [[], ["c", "d"], [], []]
    engine.put([], moves={"b": "a", "e": "a"})
    assert former_names(engine, "a", "b") == [["b", "c", "d", "e"], []]
    assert len(engine.former_names("a", limit=2)) == 2
    assert set(engine.former_names("a", limit=2)) < {"b", "c", "d", "e"}
    engine.put([document("e")])
    assert former_names(engine, "a", "e") == [["b", "c", "d"], []]


def test_a_group_may_win_while_its_former_members_leave(engine: Engine) -> None:
    engine.put([document("a", seen=1), document("b", "a", seen=2), document("x", seen=3)])
    engine.put([document("a", text="the story of x", seen=1)], moves={"x": "a", "a": "b"})
    assert groups(engine, "a", "b", "x") == {"a": ["a", "x"], "b": ["b"], "x": []}
    assert engine.resolve(["a", "b", "x"]) == {"a": "a", "b": "b", "x": "a"}


def test_what_named_a_group_that_moves_may_be_written_with_it(engine: Engine) -> None:
    engine.put([document("p", seen=1), document("q", seen=2), document("t", "q", seen=3)])
    stored = engine.get(["p", "q", "t"])
    seen = Seen(engine.version(), {id_: record.version for id_, record in stored.items()})
    changed = [document("q", "p", text="the story of p", seen=2), document("t", seen=3)]
    engine.put(changed, moves={"q": "p"}, seen=seen)
    assert groups(engine, "p", "q", "t") == {"p": ["p", "q"], "q": [], "t": ["t"]}
    assert engine.resolve(["q", "t"]) == {"q": "p", "t": "t"}


def test_a_group_lives_again_when_its_name_is_stored_again(engine: Engine) -> None:
    engine.put([document("a", seen=1), document("b", "a", seen=2)])
    engine.delete(["a"])
    engine.put([], moves={"a": "b"})
    assert engine.resolve(["a"]) == {"a": "b"}
    engine.put([document("a", seen=9)])
    assert engine.resolve(["a"]) == {"a": "a"}
    assert groups(engine, "a", "b") == {"a": ["a"], "b": ["b"]}


def test_memberships_come_by_group_and_by_age(engine: Engine) -> None:
    engine.put([document("a", seen=2), document("c", "b", seen=3), document("b"), document("d", "b")])
    engine.refresh()
    expected = [("a", "a", True), ("b", "b", True), ("d", "b", False), ("c", "b", False)]
    assert list(engine.memberships()) == [Membership(*one) for one in expected]
    many = [document(f"d{n:04}", f"d{n // 7 * 7:04}", seen=n) for n in range(450)]
    engine.delete(["a", "b", "c", "d"])
    engine.put(many)
    engine.refresh()
    assert [membership.id for membership in engine.memberships()] == [one.record.id for one in many]


# -- heads: what `put` makes the head, what a search shows, what is told


def heads(engine: Engine, *wanted: str) -> dict[str, list[str]]:
    return {group: ids(records) for group, records in engine.heads(wanted).items()}


def test_the_document_that_names_a_group_is_its_head_unless_another_one_is_given(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a"), document("c"), document("d", "c")], heads={"c": "d"})
    assert heads(engine, "a", "c", "nobody") == {"a": ["a"], "c": ["d"], "nobody": []}
    assert [record.head for record in engine.get(["a", "b", "c", "d"]).values()] == [True, False, False, True]
    assert sorted(found(engine, mode="head")) == ["a", "d"]
    assert heads(engine, "a", "c") == {"a": ["a"], "c": ["d"]}, "refreshed as well"
    assert {stored.record.id for stored in engine.scan() if stored.record.head} == {"a", "d"}


def test_a_label_says_whether_a_stored_document_is_the_head(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a"), document("c", "a")])
    engine.put([], labels={"a": "a", "b": "a"}, heads={"a": "b"})
    assert heads(engine, "a") == {"a": ["b"]}
    engine.put([document("d", "a")], labels={"b": "a"}, heads={"a": "d"})
    assert heads(engine, "a") == {"a": ["d"]}
    engine.put([document("e", "a")])
    engine.touch(["a", "d"], 9)
    assert heads(engine, "a") == {"a": ["d"]}, "who is not written stays what it is"
    engine.put([], labels={"a": "a", "d": "a"})
    assert heads(engine, "a") == {"a": ["a"]}


def test_members_that_move_become_the_head_or_are_it_no_longer(engine: Engine) -> None:
    for number in range(3):
        a, x, y = names = [f"{name}{number}" for name in "axy"]
        engine.put([document(a), document(x), document(y, x)], heads={x: y})
        head, labels = names[number], {a: a} if number else {}
        engine.put([document(f"n{number}", a)], moves={x: a}, labels=labels, heads={a: head})
        assert heads(engine, a, x) == {a: [head], x: []}
    assert sorted(found(engine, mode="head")) == ["a0", "x1", "y2"]


def test_a_group_that_goes_by_another_name_has_the_head_that_is_given(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a"), document("c", "a")], heads={"a": "c"})
    engine.delete(["a"])
    engine.put([], moves={"a": "b"}, labels={"b": "b"}, heads={"b": "c"})
    assert heads(engine, "a", "b") == {"a": [], "b": ["c"]}


def test_what_heads_are_elected_by_is_kept(engine: Engine) -> None:
    stored = document("a", length=123_456, canonical=False)
    engine.put([stored, document("b", "a", length=1)], heads={"a": "b"})
    engine.put([], moves={"a": "b"}, heads={"b": "a"})
    engine.touch(["a"], 7)
    [record] = engine.get(["a"]).values()
    assert (record.length, record.canonical, record.is_head) == (123_456, False, True)


def test_a_story_without_a_head_is_told_and_one_with_two_counts_twice(engine: Engine) -> None:
    """As it is when the writer died who took the head away from one of them."""
    engine.put([document("a")])
    engine.put([document("b", "a")], heads={"a": "b"})
    assert heads(engine, "a") == {"a": ["a", "b"]}
    results = search(engine, mode="head")
    assert (results.stories, results.documents) == (2, 2)
    assert search(engine, mode="collapse").stories == 1
    engine.put([], labels={"a": "a", "b": "a"}, heads={"a": "nobody"})
    engine.refresh()
    assert ill(engine) == ["main copies"]
