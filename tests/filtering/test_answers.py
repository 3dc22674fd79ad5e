"""How answers are put together again. No server."""

from __future__ import annotations

import json

import pytest

from dupgroups.filtering.answers import (
    Reply,
    bulk_reply,
    document_item,
    error_reply,
    failed,
    items_of,
    refused,
    shown,
)
from dupgroups.filtering.filter_path import filtered
from dupgroups.filtering.operations import Operation
from dupgroups.filtering.ticket import GivenUpError, Ticket

ANSWER = {
    "took": 3,
    "errors": True,
    "items": [
        {"index": {"_id": "1", "status": 201}},
        {"index": {"_id": "2", "status": 409, "error": {"type": "conflict", "reason": "r"}}},
    ],
}
OPERATIONS = [Operation("index", "articles", "1"), Operation("create", "articles", "2")]


# expectations: what OpenSearch and Elasticsearch answer, which test_filter.py compares with
@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ("took", {"took": 3}),
        (
            "errors,items.*.status",
            {"errors": True, "items": [{"index": {"status": 201}}, {"index": {"status": 409}}]},
        ),
        ("items.*.error", {"items": [{"index": {"error": {"type": "conflict", "reason": "r"}}}]}),
        ("items.*.error.type", {"items": [{"index": {"error": {"type": "conflict"}}}]}),
        ("**.reason", {"items": [{"index": {"error": {"reason": "r"}}}]}),
        ("err*", {"errors": True}),
        ("-items", {"took": 3, "errors": True}),
        (
            "items,-items.*.error",
            {"items": [{"index": {"_id": "1", "status": 201}}, {"index": {"_id": "2", "status": 409}}]},
        ),
        ("nothing", {}),
        ("", ANSWER),
        ("-**", {}),
        ("**", ANSWER),
    ],
)
def test_filter_path(paths, expected):
    assert filtered(ANSWER, paths) == expected


def test_the_items_of_a_bulk():
    reply = Reply(200, json.dumps(ANSWER).encode())
    assert items_of(reply, OPERATIONS) == [ANSWER["items"][0]["index"], ANSWER["items"][1]["index"]]
    for body in (
        b"",
        b"[]",
        b"{}",
        b'{"items": 1}',
        b'{"items": []}',
        b'{"items": [1, 2]}',
        b'{"items": [{}, {}]}',
    ):
        assert items_of(Reply(200, body), OPERATIONS) is None
    assert items_of(Reply(413, json.dumps(ANSWER).encode()), OPERATIONS) is None


def test_an_answer_of_parts():
    items = [{"status": 201}, refused(OPERATIONS[1], 503, {"type": "t"})]
    reply = bulk_reply(OPERATIONS, items, 7, {}, Reply(200, b"", [("X-Product", "p")]))
    assert reply.headers == [("X-Product", "p")]
    assert reply.json() == {
        "took": 7,
        "errors": True,
        "items": [
            {"index": {"status": 201}},
            {"create": {"_index": "articles", "_id": "2", "status": 503, "error": {"type": "t"}}},
        ],
    }
    assert bulk_reply([], [], 0, {"filter_path": "errors"}, reply).json() == {"errors": False}


def test_a_request_that_failed_as_a_whole():
    assert failed(OPERATIONS[0], error_reply(429, "busy", "later"))["error"]["type"] == "busy"
    assert failed(OPERATIONS[0], Reply(502, b"<html>"))["status"] == 502


def test_one_document():
    assert document_item(Reply(201, b'{"result": "created"}')) == {"result": "created", "status": 201}
    assert document_item(Reply(409, b'{"error": {"type": "c"}, "status": 409}'))["status"] == 409
    assert document_item(Reply(200, b"[]")) is None
    assert document_item(Reply(200, b"{}")) is None


def test_answers_are_shown_as_they_are_wanted():
    reply = Reply(200, b'{"took":3,"errors":false}')
    assert shown(reply, {"refresh": "true"}) is reply
    assert shown(reply, {"pretty": ""}).body == b'{\n  "took": 3,\n  "errors": false\n}'
    assert shown(reply, {"pretty": "false"}).json() == reply.json()
    assert shown(reply, {"filter_path": "took"}).body == b'{"took":3}'


class TestTickets:
    def test_who_claims_sends(self):
        ticket = Ticket(2, lambda: 0.0)
        ticket.claim()
        ticket.claim()
        assert ticket.is_claimed
        assert not ticket.give_up()

    def test_who_gave_up_sends_and_the_other_one_never(self):
        ticket = Ticket(2, lambda: 0.0)
        assert ticket.give_up()
        assert ticket.give_up()
        for late in (ticket.step, ticket.claim):
            with pytest.raises(GivenUpError):
                late()
        assert not ticket.is_claimed

    def test_each_step_may_take_its_time(self):
        now = [0.0]
        ticket = Ticket(2, lambda: now[0])
        now[0] = 1.5
        assert ticket.left == 0.5
        ticket.step()
        assert ticket.left == 2.0
