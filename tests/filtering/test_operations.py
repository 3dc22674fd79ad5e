"""What is read from requests, and what is written into them. No server."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.filtering.operations import (
    UNCHANGED,
    Change,
    Operation,
    UnreadableError,
    bulk_lines,
    changed_source,
    is_object,
    parse_bulk,
    rounds,
)
from dupgroups.filtering.splicing import members, with_fields, with_fields_inside
from dupgroups.filtering.targets import Write, changed_target, changes_indices, write_of

BULK = Write("bulk", "articles")

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)


@pytest.mark.parametrize(
    ("method", "target", "expected"),
    [
        ("POST", "/_bulk", Write("bulk")),
        ("PUT", "/articles/_bulk?refresh", Write("bulk", "articles", query={"refresh": ""})),
        ("POST", "//articles//_doc/", Write("index", "articles")),
        ("PUT", "/articles/_doc/a%2Fb", Write("index", "articles", "a/b")),
        ("PUT", "/a/_doc/1?op_type=create", Write("create", "a", "1", {"op_type": "create"})),
        ("POST", "/articles/_create/1", Write("create", "articles", "1")),
        ("POST", "/articles/_update/1", Write("update", "articles", "1")),
        ("DELETE", "/articles/_doc/1", Write("delete", "articles", "1")),
        ("GET", "/articles/_doc/1", None),
        ("HEAD", "/articles/_doc/1", None),
        ("GET", "/articles/_bulk", None),
        ("PUT", "/articles/_doc", None),
        ("DELETE", "/articles", None),
        ("POST", "/articles/type/_bulk", None),
        ("POST", "/articles/_search", None),
        ("POST", "/articles/_update_by_query", None),
        ("POST", "/", None),
    ],
)
def test_what_a_request_asks_for(method, target, expected):
    assert write_of(method, target) == expected


def test_requests_after_which_a_name_may_stand_for_another_index():
    yes = [
        ("PUT", "/a"),
        ("DELETE", "/a"),
        ("POST", "/_aliases"),
        ("PUT", "/a/_alias/b"),
        ("POST", "/a/_rollover"),
    ]
    no = [("GET", "/a"), ("POST", "/a/_search"), ("POST", "/_bulk"), ("POST", "/a/_refresh"), ("HEAD", "/a")]
    assert all(changes_indices(*one) for one in yes)
    assert not any(changes_indices(*one) for one in no)


def test_a_changed_target_keeps_what_it_had():
    assert (
        changed_target("/a%2Fb/_doc/1?routing=x%26y", if_seq_no=3)
        == "/a%2Fb/_doc/1?routing=x%26y&if_seq_no=3"
    )
    assert changed_target("/a/_doc/1", without=["pretty"]) == "/a/_doc/1"


def test_the_operations_of_a_bulk():
    body = (
        b'{"index":{}}\n{"body":"one"}\n\n{"delete":{"_index":"other","_id":7}}\r\n'
        b'{"update":{"_id":"2","routing":"r"}}\n{"doc":{"body":"two"}}\r\n{"create":{"_id":"3"}}\nnot json\n'
    )
    index, delete, update, create = parse_bulk(body, Write("bulk", "articles", query={"pipeline": "p"}))
    assert (index.action, index.index, index.id, index.parameters) == (
        "index",
        "articles",
        None,
        {"pipeline": "p"},
    )
    assert (delete.index, delete.id, delete.source) == ("other", "7", None)
    assert (update.routing, delete.routing) == ("r", None)
    assert update.body() == {"doc": {"body": "two"}}
    assert create.creates
    assert create.body() == {}
    assert not is_object(create.source)


@pytest.mark.parametrize(
    "body",
    [
        b'{"index":{}}\n{"body":"one"}',  # no newline at the end
        b'{"index":{}}\n',
        b'{"index":{}\n{"body":"one"}\n',
        b'{"upsert":{}}\n{"body":"one"}\n',
        b'{"index":{},"delete":{}}\n{}\n',
        b'{"index":[]}\n{}\n',
        b'{"index":{"_index":null}}\n{}\n',
        b'{"index":{"_id":true}}\n{}\n',
        b'{"index":{"_id":["a"]}}\n{}\n',
        b"[]\n",
        b"1\n",
        b"\xff\n",
        b"",
        b"[" * 100_000 + b"\n",
        b'{"body":"the source comes first"}\n{"index":{}}\n',
    ],
)
def test_what_is_no_bulk_is_left_to_the_cluster(body):
    with pytest.raises(UnreadableError):
        parse_bulk(body, BULK)


def test_a_bulk_without_an_index():
    with pytest.raises(UnreadableError, match="names no index"):
        parse_bulk(b'{"index":{}}\n{}\n', Write("bulk"))


@given(st.lists(st.tuples(st.sampled_from(["index", "create", "update"]), OBJECTS), max_size=4))
def test_lines_that_nothing_is_added_to_stay_as_they_are(parts):
    body = b"".join(
        f"{json.dumps({action: {'_id': 'x'}})}\n{json.dumps(source)}\n".encode() for action, source in parts
    )
    operations = parse_bulk(body, BULK) if body else []
    assert b"".join(bulk_lines(operation, UNCHANGED) for operation in operations) == body


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body):
    try:
        operations = parse_bulk(body, BULK)
    except UnreadableError:
        return
    for operation in operations:
        bulk_lines(operation, UNCHANGED)


def test_what_is_added_to_lines():
    (operation,) = parse_bulk(b'{"index":{"routing":"r"}}\n{ "rate": 1.50, "dup_group": "old" }\n', BULK)
    action, source = bulk_lines(operation, Change("made", {"dup_group": "g"}, version=(5, 1))).splitlines()
    assert json.loads(action) == {
        "index": {"routing": "r", "_id": "made", "if_seq_no": 5, "if_primary_term": 1}
    }
    assert source == b'{"dup_group":"g","rate": 1.50}'


def test_an_alias_that_moves_on_is_replaced_by_its_index():
    lines = b'{"index":{"_id":"1","_index":"articles","require_alias":true}}\n{"body":"b"}\n'
    operations = parse_bulk(lines + b'{"delete":{"_id":"2"}}\n', BULK)
    one, two = (replace(operation, home="articles-000001", is_pinned=True) for operation in operations)
    action, source = bulk_lines(one, UNCHANGED).splitlines()
    assert json.loads(action) == {"index": {"_id": "1", "_index": "articles-000001", "require_alias": False}}
    assert source == b'{"body":"b"}'
    assert json.loads(bulk_lines(two, UNCHANGED)) == {"delete": {"_id": "2", "_index": "articles-000001"}}
    assert changed_target("/articles/_doc/1?refresh", index="a/b") == "/a%2Fb/_doc/1?refresh="


def test_an_update_gets_its_fields_inside_and_loses_the_retries():
    line = b'{"update":{"_id":"1","retry_on_conflict":3}}\n{"detect_noop":true,"doc":{"body":"b"}}\n'
    (operation,) = parse_bulk(line, BULK)
    action, source = bulk_lines(operation, Change(None, {"dup_group": "g"}, "doc", (5, 1))).splitlines()
    assert json.loads(action) == {"update": {"_id": "1", "if_seq_no": 5, "if_primary_term": 1}}
    assert source == b'{"detect_noop":true,"doc":{"dup_group":"g","body":"b"}}'
    assert changed_source(operation, UNCHANGED) == operation.source


@given(OBJECTS, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_fields_are_added_and_all_else_stays(source, indent, ascii_):
    text = json.dumps(source, indent=indent, ensure_ascii=ascii_)
    assert {member.name: member.value for member in members(text)} == source
    expected = {**{name: value for name, value in source.items() if name != "dup_group"}, "dup_group": "g"}
    assert json.loads(with_fields(text, {"dup_group": "g"})) == expected
    assert json.loads(with_fields_inside(f'{{"doc": {text}}}', "doc", {"dup_group": "g"})) == {
        "doc": expected
    }


@pytest.mark.parametrize(
    "text", ["", "[]", "1", "{", '{"a"}', '{"a":}', '{"a":1,}', "{1:2}", "{} {}", '{"a":1 "b":2}']
)
def test_what_is_no_object(text):
    with pytest.raises(ValueError, match=r"missing|follows|Expecting|Extra"):
        members(text)
    assert not is_object(text)


def test_nothing_is_written_twice_in_a_round():
    def write(id_, index="articles"):
        return Operation("index", index, id_)

    operations = [
        write("a"),
        write("b"),
        write("a"),
        write(None),
        write(None),
        write("a", "x"),
        write("a", "x"),
        write("a"),
    ]
    assert rounds(operations, lambda operation: operation.index == "articles") == [
        [0, 1, 3, 4, 5, 6],
        [2],
        [7],
    ]
    assert rounds([], lambda operation: True) == []
