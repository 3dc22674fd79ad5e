"""What the path does with bytes, without any server: bulks, single documents, compressed bodies, answers."""

import asyncio
import gzip
import json
from collections.abc import Callable
from itertools import pairwise
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import cli
from dupgroups.model import Page, Record, Signature
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.acknowledged import Sent, news_of
from dupgroups_es.bulk_lines import MAX_LINE_BYTES, BulkReader, Operation
from dupgroups_es.document_signer import DocumentSigner, signed_text
from dupgroups_filter.grouper_main import BATCH_DOCUMENTS, MAX_NEWS_BYTES, Inbox
from dupgroups_filter.requests import write_of
from dupgroups_filter.signer import MAX_QUEUED_REQUESTS, SharedSigner
from dupgroups_filter.writes import PIECE_BYTES, Inflater
from stories import front_page, story

ACTIONS = [b'{"index":{}}', b'{"create":{"_id":"a"}}', b'{"delete":{"_id":"b"}}', b'{"update":{"_id":"c"}}']
LINES = st.sampled_from([*ACTIONS, b'{"body":"x"}', b"", b"  ", b"not json", b'{"index":[]}', b"\xff"])
NAMES = st.text(max_size=5) | st.sampled_from(["dup_group", "dup_", "body"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
RECORD = Record("a", "a", "", Signature("s", ("k",), b"b"), head=True)


def parts_of(body: bytes, cuts: list[int]) -> list[Operation | bytes]:
    """The parts of a bulk that arrives cut at these places."""
    reader, places = BulkReader("index", {}), sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})
    parts: list[Operation | bytes] = []
    for start, end in pairwise(places):
        parts += reader.feed(body[start:end])
    return [*parts, *reader.finish()]


@given(st.lists(LINES, max_size=12), st.booleans(), st.lists(st.integers(0, 500), max_size=5))
def test_a_bulk_that_nothing_is_added_to_goes_on_byte_for_byte(
    lines: list[bytes], ends: bool, cuts: list[int]
) -> None:
    body = b"\n".join(lines) + (b"\n" if ends else b"")
    parts = parts_of(body, cuts)
    sent = [part if isinstance(part, bytes) else part.line + part.source for part in parts]
    assert b"".join(sent) == body


def test_the_operations_of_a_bulk_are_those_that_a_server_reads() -> None:
    body = (
        b'{"index":{"_index":"other","_id":7}}\n{"body":"a"}\n\n{"delete":{"_id":"b"}}\n'
        b'{"create":{"routing":"r"}}\n{"body":"c"}\n{"unknown":{}}\n{"body":"d"}\n'
    )
    operations = [part for part in parts_of(body, []) if isinstance(part, Operation)]
    told = [(one.action, one.index, one.id, one.is_routed) for one in operations]
    assert told == [
        ("index", "other", "7", False),
        ("delete", "index", "b", False),
        ("create", "index", None, True),
    ]


def test_a_line_that_is_too_long_goes_on_in_pieces_and_those_after_it_are_read() -> None:
    long = b'{"body":"' + b"x" * (MAX_LINE_BYTES + 10) + b'"}\n'
    body = b'{"index":{}}\n' + long + b'{"index":{"_id":"b"}}\n{"body":"b"}\n'
    parts = parts_of(body, [MAX_LINE_BYTES // 2, MAX_LINE_BYTES + 30])
    operations = [part for part in parts if isinstance(part, Operation)]
    assert [one.id for one in operations] == ["b"]
    assert max(len(part) for part in parts if isinstance(part, bytes)) < len(long)


@given(st.dictionaries(NAMES, VALUES, max_size=5), st.sampled_from([None, 1]), st.booleans())
def test_our_fields_come_last_and_the_text_of_all_others_stays(
    document: dict[str, Any], indent: int | None, ascii_: bool
) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_)
    kept = {name: value for name, value in document.items() if not name.startswith("dup_")}
    signed = json.loads(signed_text(text, document, RECORD))
    assert {name: value for name, value in signed.items() if not name.startswith("dup_")} == kept
    assert (signed["dup_group"], signed["dup_head"]) == ("a", True)
    if kept == document:
        assert signed_text(text, document, RECORD).startswith(text.rstrip("}").rstrip())
    assert json.loads(signed_text(text, document, None)) == kept


@given(st.lists(st.binary(max_size=50), max_size=4), st.integers(1, 30))
def test_gzip_of_several_members_is_read_whole(members: list[bytes], size: int) -> None:
    body = b"".join(map(gzip.compress, members)) or gzip.compress(b"")
    inflater = Inflater()
    pieces = [
        piece for start in range(0, len(body), size) for piece in inflater.feed(body[start : start + size])
    ]
    assert b"".join(pieces) == b"".join(members)


@pytest.mark.parametrize(
    ("body", "read"),
    [(b"no gzip", b""), (gzip.compress(b"x", mtime=0)[:-1], b"x"), (gzip.compress(b"x") + b"more", b"x")],
)
def test_what_is_not_gzip_ends_there(body: bytes, read: bytes) -> None:
    assert b"".join(Inflater().feed(body)) == read


def test_a_bomb_is_inflated_in_pieces_and_never_whole() -> None:
    bomb = gzip.compress(b"x" * 20 * PIECE_BYTES)
    assert max(map(len, Inflater().feed(bomb))) <= PIECE_BYTES


@pytest.mark.parametrize(
    ("method", "target", "kind"),
    [
        ("PUT", "/_bulk", "bulk"),
        ("POST", "/a/_bulk?x", "bulk"),
        ("POST", "/a/_doc", "index"),
        ("PUT", "/a/_create/1", "create"),
        ("POST", "/a/_update/1", "update"),
        ("DELETE", "/a/_doc/1", "delete"),
        ("POST", "/a/_search", None),
        ("POST", "/a/b/_bulk", None),
    ],
)
def test_what_a_request_line_asks_for(method: str, target: str, kind: str | None) -> None:
    write = write_of(method, target)
    assert (write and write.kind) == kind


ITEM = {"_index": "i", "_id": "a", "_seq_no": 3, "_primary_term": 1, "status": 201, "result": "created"}


@pytest.mark.parametrize(("encoding", "encode"), [("", bytes), ("gzip", gzip.compress)])
def test_the_grouper_is_told_what_the_answer_acknowledges(
    encoding: str, encode: Callable[[bytes], bytes]
) -> None:
    refused = {"_index": "i", "_id": "b", "status": 409, "error": {}}
    gone, unsigned = {**ITEM, "_id": "c", "result": "deleted"}, {**ITEM, "_id": "d"}
    answer = {"items": [{"index": ITEM}, {"create": refused}, {"delete": gone}, {"index": unsigned}]}
    sent = [Sent("index", RECORD), Sent("create", RECORD), Sent("delete"), Sent("index")]
    told = news_of(sent, encoding, encode(json.dumps(answer).encode()))["i"]
    assert [(hit["_id"], hit["_seq_no"]) for hit in told.signed] == [("a", 3)]
    assert (told.look, told.gone) == (["d"], ["c"])


@pytest.mark.parametrize(("is_routed", "told"), [(False, {"i": 1}), (True, {})])
def test_of_a_routed_document_nothing_is_told(is_routed: bool, told: dict[str, int]) -> None:
    news = news_of([Sent("index", RECORD, is_routed)], "", json.dumps(ITEM).encode())
    assert {index: len(one) for index, one in news.items()} == told


@pytest.mark.parametrize("answer", [b"", b"[]", b"{}", b'{"items":[]}', b'{"items":[{}]}', "_id", "_index"])
def test_an_answer_that_does_not_tell_is_no_error(answer: bytes | str) -> None:
    """A name is left out of one that does: a client may want only a part of it."""
    if isinstance(answer, str):
        item = {name: value for name, value in ITEM.items() if name != answer}
        answer = json.dumps({"items": [{"index": item}]}).encode()
    assert news_of([Sent("index", RECORD)], "", answer) == {}


# -- signing


async def _signed(requests: int, words: int = 20) -> list[list[Record | None]]:
    """What becomes of so many requests that come together."""
    shared = SharedSigner(Fields("body"), Config())
    pages = [[Page(id=f"{number}", text=story(f"{number}", words))] for number in range(requests)]
    return await asyncio.gather(*map(shared.sign_unless_busy, pages))


def test_requests_that_come_together_are_signed_together_and_more_than_can_wait_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batches: list[int] = []
    records = DocumentSigner.records
    monkeypatch.setattr(
        DocumentSigner, "records", lambda self, pages: batches.append(len(pages)) or records(self, pages)
    )
    *signed, late = asyncio.run(_signed(MAX_QUEUED_REQUESTS + 1))
    assert [record.id for (record,) in signed if record] == [
        f"{number}" for number in range(MAX_QUEUED_REQUESTS)
    ]
    assert (late, sum(batches)) == ([None], MAX_QUEUED_REQUESTS)
    assert len(batches) < MAX_QUEUED_REQUESTS


def test_more_characters_than_can_wait_are_not_signed() -> None:
    (first,), later = asyncio.run(_signed(2, 150_000))
    assert (first is not None, later) == (True, [None])


def test_the_command_signs_what_has_an_id_and_a_text_and_passes_all_else() -> None:
    documents = [{"url": "u1", "body": story("a"), "rank": 1.50}, {"url": "u2"}, {"body": story("b")}]
    passed = [json.dumps(document) for document in documents[1:]] + ["no json"]
    lines = [json.dumps(documents[0]), *passed, '{"url":"u3","body":"c"}']
    done = cli("sign", "--fields", "id=url,text=body", stdin="\n".join(lines).encode("utf-8-sig"))
    first, *others, last = done.stdout.split("\n")
    assert json.loads(first)["dup_group"] == json.loads(first)["dup_id"] == "u1"
    assert others == passed
    assert json.loads(last)["dup_group"] == "u3"
    assert done.stderr == "2 signed, 3 passed as they are\n"


def test_a_page_that_is_no_article_is_signed_as_one_without_text_unless_it_is_kept() -> None:
    line = json.dumps({"id": "front", "html": front_page(), "url": "http://a.example/news/"})
    for options, is_kept in (([], False), (["--not-article", "keep"], True)):
        done = cli("sign", "--fields", "id=id,html=html,url=url", *options, stdin=line.encode())
        assert (json.loads(done.stdout)["dup_length"] > 0) == is_kept


# -- the inbox of the grouper: bounded, and in batches


def told(*ids: str) -> bytes:
    return json.dumps({"index": "i", "signed": [], "look": ids, "gone": []}).encode() + b"\n"


def test_all_that_was_told_is_taken_in_its_order_in_batches() -> None:
    ended, ids = Event(), [str(number) for number in range(BATCH_DOCUMENTS + 1)]
    inbox = Inbox(ended)
    inbox.read([*map(told, ids), b'{"index": "i", '])  # the filter died in this line
    assert ended.is_set()  # nothing more can come
    assert [inbox.wait(0)["i"].look for _ in range(2)] == [ids[:BATCH_DOCUMENTS], ids[BATCH_DOCUMENTS:]]
    assert not inbox.wait(0)


def test_more_than_can_wait_is_left_to_the_next_look() -> None:
    inbox = Inbox(Event())
    for expected in ("a", "c"):
        expected *= MAX_NEWS_BYTES
        inbox.read([told(expected), told("b")])
        assert inbox.wait(0)["i"].look == [expected]
