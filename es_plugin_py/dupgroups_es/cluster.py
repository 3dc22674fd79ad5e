"""The requests that are sent to a cluster, typed and retried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from dupgroups.errors import ConfigError, EngineError
from dupgroups.flow.batches import batches
from dupgroups_es import index_templates, shapes, source_text
from dupgroups_es.bulk_writer import BulkWriter, Written
from dupgroups_es.patient_client import PatientClient
from dupgroups_es.positions import Position, Shard
from dupgroups_es.transport import Action, NoAnswerError, RefusedError, to_json, to_lines

Answer = dict[str, Any]
Body = Mapping[str, Any]

MSEARCH_ITEMS = 50  # of one msearch: a server runs them with 1 / 9 of the client's work of single ones
MGET_IDS = 1000  # of one mget
MGET_DOCUMENTS = 200  # of one mget of whole documents
SCROLL = "10m"


class Cluster(PatientClient):
    """The requests of a cluster.

    Requests and answers have plain ids here, whatever `ids` makes of them; only texts of `_source`
    (`mget` without fields, `Action.text`) are as they are stored.
    """

    def bulk(self, actions: Sequence[Action]) -> dict[str, str]:
        """See BulkWriter.bulk."""
        return BulkWriter(self).bulk(actions)

    def write(self, actions: Sequence[Action]) -> Written:
        """See BulkWriter.write."""
        return BulkWriter(self).write(actions)

    # -- indices

    def index(self, name: str) -> dict[str, Answer]:
        """The indices behind a name or alias with mappings and settings; {} when there are none."""
        path = f"/{quote(name, safe='')}"
        # An answer without indices instead of a 404, which clients log as if something were wrong.
        found: dict[str, Answer] = self.send(
            "GET", path, shape=shapes.indices_of, flat_settings="true", ignore_unavailable="true"
        )
        return found

    def names(self, name: str) -> dict[str, Answer]:
        """The indices behind a name or pattern with `aliases`, `uuid` and the `data_stream` that an index may
        be of; {} when there are none. Their mappings, which may be megabytes, are not sent.
        """
        found: dict[str, Answer] = self.send(
            "GET",
            f"/{quote(name, safe=',')}",
            shape=shapes.names_of,
            ignore_unavailable="true",
            filter_path="*.aliases,*.data_stream,*.settings.index.uuid",
        )
        return found

    def create_index(self, name: str, body: Body) -> None:
        """Make an index as `body` says, with nothing that the templates of other tools would add to it.

        Nothing happens when another process was faster. Raises ConfigError if a template cannot be kept away.
        """
        self._check_templates(name, body)
        path, data = f"/{quote(name, safe='')}", to_json(body)
        try:
            self.patiently(lambda: _check_acknowledged(self.client.send("PUT", path, {}, data, lines=False)))
        except RefusedError as refused:
            if refused.kind != "resource_already_exists_exception":
                raise self.error(refused) from None
        made = self.index(name).get(name)  # who may not read templates sees here what they did
        if made and (added := index_templates.added_to(body, made)):
            self.delete_indices([name])
            raise ConfigError(f"{self.name}: {index_templates.refusal(name, added)}")

    def _check_templates(self, name: str, body: Body) -> None:
        """Nothing is checked for a user who may not read templates."""
        try:
            composable = self.send("GET", "/_index_template")["index_templates"]
            legacy = self.send("GET", "/_template", missing=True) or {}
            template = index_templates.choose_template(name, body, composable)
            if template:
                path = f"/_index_template/_simulate/{quote(template.name, safe='')}"
                given = [self.send("POST", path)["template"]]
            else:
                given = index_templates.legacy_matching(name, body, legacy)
        except EngineError as error:
            if error.temporary:
                raise
            return
        added = [part for parts in given for part in index_templates.added_to(body, parts)]
        if template and template.is_stream:
            added = ["creates data streams only"]
        if added:
            raise ConfigError(f"{self.name}: {index_templates.refusal(name, added, template)}")

    def delete_indices(self, names: Sequence[str]) -> None:
        """Delete indices by their names; those that are not there are passed over."""
        for name in names:
            self.send("DELETE", f"/{quote(name, safe='')}", missing=True)

    def change_mapping(self, name: str, changes: Body) -> None:
        """Add fields (`properties`) to the mapping of an index, or replace its `_meta`."""
        self.send("PUT", f"/{quote(name, safe='')}/_mapping", changes, shape=_check_acknowledged)

    def refresh(self, *names: str) -> None:
        """Make everything visible that was written."""
        self.send(
            "POST",
            f"/{quote(','.join(names), safe=',')}/_refresh",
            shape=lambda answer: shapes.object_of(answer, "_shards"),
        )

    # -- reading

    def search(self, name: str, body: Body, *, shard: int | None = None, parts: Sequence[str] = ()) -> Answer:
        """One search, of all shards or of one, that fails rather than leaving a shard out.

        `parts` are the paths of the answer that are sent, all by default; "hits" must be one of them.
        """
        params = {} if shard is None else {"preference": f"_shards:{shard}"}
        if parts:
            params["filter_path"] = ",".join(parts)
        answer: Answer = self.send(
            "POST",
            f"/{quote(name, safe='')}/_search",
            body,
            missing=False,
            shape=lambda answer: shapes.hits_of(answer, body),
            allow_partial_search_results="false",
            **params,
        )
        return answer

    def positions(self, name: str) -> dict[Shard, Position]:
        """How far each shard behind a name has been written."""
        copies = self.send(
            "GET",
            f"/{quote(name, safe='')}/_stats/docs",
            shape=shapes.shards_of,
            level="shards",
            filter_path="indices.*.uuid,indices.*.shards.*.seq_no,indices.*.shards.*.routing.primary",
        )
        return {
            Shard(name, uuid, number): Position(
                copy["seq_no"]["max_seq_no"], copy["seq_no"]["global_checkpoint"]
            )
            for uuid, number, copy in copies
            if copy["routing"]["primary"] and "seq_no" in copy
        }

    def msearch(self, name: str, bodies: Sequence[Body], *, ranked: bool = False) -> list[Answer]:
        """Many searches in few calls; their answers in order. [] for none, without a call.

        `ranked` weighs words by the statistics of all shards: no score depends on where a document lies.
        """
        header: dict[str, Any] = {"allow_partial_search_results": False}
        if ranked:
            header["search_type"] = "dfs_query_then_fetch"
        answers: list[Answer] = []
        for some in batches(bodies, MSEARCH_ITEMS):
            answers += self._msearch(name, header, some)
        return answers

    def _msearch(self, name: str, header: Body, bodies: Sequence[Body]) -> list[Answer]:
        lines = to_lines(line for body in bodies for line in (header, self.ids.encrypt_members(body)))
        path = f"/{quote(name, safe='')}/_msearch"

        def once() -> list[Answer]:
            answers = shapes.responses_of(self.client.send("POST", path, {}, lines, lines=True), bodies)
            for answer in answers:
                if "error" in answer:
                    raise RefusedError.from_answer(answer["status"], answer["error"])
            return [*map(self.ids.decrypt_members, answers)]

        return self.ask_patiently(once)

    def mget(
        self,
        name: str,
        ids: Sequence[str],
        fields: Sequence[str] | None,
        routings: Mapping[str, str] | None = None,
    ) -> dict[str, Answer]:
        """The documents of these ids as they are now, refreshed or not; unknown ids are absent.

        `fields` None: `_source` is all of it, as the text that is stored. A document with a routing of its
        own is found only if `routings` has it by the id.
        """
        return {
            document["_id"]: document
            for some in batches(ids, MGET_DOCUMENTS if fields is None else MGET_IDS)
            for document in self._mget(name, some, fields, routings or {})
            if document["found"]
        }

    def _mget(
        self, name: str, ids: Sequence[str], fields: Sequence[str] | None, routings: Mapping[str, str]
    ) -> list[Answer]:
        """The answer for each id; see `mget`."""
        path = f"/{quote(name, safe='')}/_mget"
        docs = [{"_id": id_, "routing": routings[id_]} if id_ in routings else {"_id": id_} for id_ in ids]
        params = {} if fields is None else {"_source": ",".join(fields)}
        body = to_json({"docs": docs} if routings else {"ids": ids})

        def once() -> list[Answer]:
            answer = self.client.send("POST", path, params, body, lines=False)
            documents = shapes.documents_of(answer, ids)
            if fields is not None:
                documents = self.ids.decrypt_members(documents)
            else:
                texts = source_text.inner_texts(answer.text, "docs", name="_source")
                documents = [
                    document | {"_source": text} for document, text in zip(documents, texts, strict=True)
                ]
            for document in documents:
                if "error" in document:  # without a status; a shard of a new index may not answer yet
                    kind = document["error"]["type"]
                    if kind != "routing_missing_exception":
                        gone = kind == "index_not_found_exception"
                        raise RefusedError.from_answer(404 if gone else 503, document["error"])
                    document["found"] = False
            return documents

        return self.ask_patiently(once)

    def routings(self, name: str, ids: Sequence[str]) -> dict[str, str]:
        """The custom routing of each of these documents that has one, as of the last refresh."""
        hits = self.hits_of(name, ids, {"_source": False})
        return {hit["_id"]: hit["_routing"] for hit in hits if "_routing" in hit}

    def hits_of(self, name: str, ids: Sequence[str], fields: Body) -> Iterator[Answer]:
        """The documents of these ids with these fields, whatever their routings, as of the last refresh."""
        for some in batches(ids, MGET_IDS):
            query = {"ids": {"values": some}}
            yield from self.search(name, {"size": MGET_IDS, "query": query, **fields})["hits"]["hits"]

    def scroll(self, name: str, body: Body) -> Iterator[list[Answer]]:
        """All hits of a search in pages of its size, as the index was at the first one.

        The server turns the page even if its answer is lost: EngineError at the end when a page was missed.
        """
        body = {**body, "track_total_hits": True}

        def page(answer: Any) -> Answer:
            return shapes.object_of(shapes.hits_of(answer, body), "_scroll_id")

        answer = self.send("POST", f"/{quote(name, safe='')}/_search", body, shape=page, scroll=SCROLL)
        missing = answer["hits"]["total"]["value"]
        try:
            while hits := answer["hits"]["hits"]:
                missing -= len(hits)
                yield hits
                if len(hits) < body["size"]:
                    break
                following = {"scroll": SCROLL, "scroll_id": answer["_scroll_id"]}
                answer = self.send("POST", "/_search/scroll", following, shape=page)
        finally:
            done = to_json({"scroll_id": answer["_scroll_id"]})
            with suppress(RefusedError, NoAnswerError, EngineError):  # it ends by itself after SCROLL
                self.client.send("DELETE", "/_search/scroll", {}, done, lines=False)
        if missing:
            raise EngineError(f"{self.name} lost {missing} documents on the way: try again", temporary=True)


def _check_acknowledged(answer: Any) -> Answer:
    return shapes.object_of(answer, "acknowledged")
