"""The requests that are sent to a cluster, typed and retried."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.errors import EngineError
from dupgroups.text.batches import batches
from dupgroups_es import queries, shapes, source_text
from dupgroups_es.index_requests import IndexRequests
from dupgroups_es.index_set import IndexSet
from dupgroups_es.patient_client import Written
from dupgroups_es.transport import Action, NoAnswerError, RefusedError, to_json, to_lines

Answer = dict[str, Any]
Body = Mapping[str, Any]

MSEARCH_ITEMS = 50  # of one msearch: a server runs them with 1 / 9 of the client's work of single ones
MAX_PATH_CHARS = 2_000  # characters of the names in a path: servers take lines of 4,096 bytes
MGET_IDS = 1000  # of one mget
MGET_DOCUMENTS = 200  # of one mget of whole documents
SCROLL = "10m"
FIXED_REASON = "its index takes no writes: lift index.blocks.write, or leave it as it is"

# why a document cannot be read where it was seen, or by a name that has come to stand for several indices
_MOVED_ERRORS = frozenset(
    {"index_not_found_exception", "index_closed_exception", "illegal_argument_exception"}
)


class Cluster(IndexRequests):
    """The requests of a cluster."""

    def bulk(self, actions: Sequence[Action]) -> dict[str, str]:
        """Write; returns the ids that were not written, with reasons. To delete what is not there is no
        failure.
        """
        written = self.write(actions)
        deleted = {action.id for action in actions if action.operation == "delete"}
        left = dict.fromkeys(written.missing - deleted, "it is not there")
        left |= dict.fromkeys(written.overtaken, "somebody else changed it meanwhile")
        return written.failures | left | dict.fromkeys(written.fixed, FIXED_REASON)

    def write(self, actions: Sequence[Action]) -> Written:
        for name in {action.index for action in actions if action.index in self.sets and action.overwrites}:
            self.open_set(name)
        written = self._write_at_home(actions)
        if any(self.refresh_set(action.index) for action in actions if action.index in self.sets):
            older = {action.id for action in actions if not action.create}
            stray = (written.missing | written.overtaken) & older
            if stray:  # the name led them into another index than the one they lie in
                again = self._write_at_home([action for action in actions if action.id in stray])
                written = written.drop_ids(stray) | again
        return written

    def _write_at_home(self, actions: Sequence[Action]) -> Written:
        placed, fixed = self._at_home(actions)
        written = self.send_bulk(placed)
        return replace(written, fixed=frozenset(fixed))

    # -- several indices under one name

    def _at_home(self, actions: Sequence[Action]) -> tuple[list[Action], set[str]]:
        """The actions, each with the index that its document lies in; and the ids of those that are left out,
        because that index takes no writes.

        A new version of such a document is written where new documents go.
        """
        placed, fixed = [], set[str]()
        homes = {
            name: self._homes(name, [action.id for action in actions if action.index == name])
            for name in self.sets
        }
        for action in actions:
            several, home = self.find_set(action.index), homes.get(action.index, {}).get(action.id, "")
            if several is None or not home or action.home:
                placed.append(action)
            elif home not in several.fixed:
                placed.append(replace(action, home="" if action.create else home))
            elif action.operation == "index" and action.text is None and several.target:
                placed.append(replace(action, version=None, create=True))
            else:
                fixed.add(action.id)
        return placed, fixed

    def _homes(self, name: str, ids: Sequence[str]) -> dict[str, str]:
        """The index of each document of a set: as it was seen, or as of the last refresh; those that are not
        found are absent. {} for what is no set.
        """
        several = self.find_set(name)
        if several is None:
            return {}
        unknown = [id_ for id_ in ids if several.home(id_) is None]
        for hit in self.hits_of(name, unknown, {"_source": False}) if unknown else ():
            several.note(hit["_id"], hit["_index"])
        return {id_: home for id_ in ids if (home := several.home(id_))}

    def _note_hits(self, name: str, answer: Answer) -> None:
        for several in self.sets.values():
            if several.is_several and name in (several.name, *several.indices):
                for hit in answer["hits"]["hits"]:
                    if hit["_index"] != several.archive:
                        # look-ups sort by `dup_id`, and read nothing else
                        several.note(hit.get("_id") or hit["sort"][-1], hit["_index"])

    # -- reading

    def search(self, name: str, body: Body, *, shard: int | None = None, parts: Sequence[str] = ()) -> Answer:
        """One search, of all shards or of one, that fails rather than leaving a shard out.

        `parts` are the paths of the answer that are sent, all by default; "hits" must be one of them.
        """
        params = self.unless_gone(name)
        if shard is not None:
            params["preference"] = f"_shards:{shard}"
        if parts:
            params["filter_path"] = ",".join(parts)
        answer: Answer = self.ask_all(
            name,
            lambda path: self.send(
                "POST",
                f"{path}/_search",
                body,
                missing=False,
                shape=lambda answer: shapes.hits_of(answer, body),
                allow_partial_search_results="false",
                **params,
            ),
        )
        self._note_hits(name, answer)
        return answer

    def count(self, name: str, query: Body = queries.MATCH_ALL, **options: Any) -> int:
        """The number of matching documents, as of the last refresh."""
        return shapes.total(
            self.search(name, {"size": 0, "track_total_hits": True, "query": query, **options})
        )

    def msearch(self, name: str, bodies: Sequence[Body], *, ranked: bool = False) -> list[Answer]:
        """Many searches in few calls; their answers in order. [] for none, without a call.

        `ranked` weighs words by the statistics of all shards: no score depends on where a document lies.
        """
        header: dict[str, Any] = {"allow_partial_search_results": False}
        if self.of_set(name):
            header["ignore_unavailable"] = True
        if ranked:
            header["search_type"] = "dfs_query_then_fetch"
        return self._search_many(
            name, bodies, lambda some: self.ask_all(name, partial(self._msearch, header=header, bodies=some))
        )

    def look_up(self, name: str, bodies: Sequence[Body]) -> list[Answer]:
        """As `msearch`, for searches for keys: those of older indices are searched in the archive."""
        several = self.find_set(name)
        if several is None or not several.archived or len(several.lookup_path) > MAX_PATH_CHARS:
            return self.msearch(name, bodies)
        try:
            return self._look_up_archived(several, bodies)
        except EngineError as error:
            if error.temporary:
                raise
        except KeyError:  # another process has archived more indices than are known here
            pass
        several.archived = {}  # or an index is gone, or closed, or the archive is
        self.open_set(name)
        return self.msearch(name, bodies)

    def _look_up_archived(self, several: IndexSet, bodies: Sequence[Body]) -> list[Answer]:
        header = {"allow_partial_search_results": False}
        path = f"/{quote(several.lookup_path, safe=',')}"
        shown = [queries.with_archive(body, several.hidden) for body in bodies]
        answers = self._search_many(several.name, shown, partial(self._msearch, path, header))
        homes = {uuid: index for index, uuid in several.archived.items()}
        for hit in (hit for answer in answers for hit in answer["hits"]["hits"]):
            if hit["_index"] == several.archive:
                several.note(hit["sort"][-1], homes[hit["fields"]["dup_home"][0]])
                del hit["_seq_no"]  # which is not that of the document
        return answers

    def _search_many(
        self, name: str, bodies: Sequence[Body], search: Callable[[Sequence[Body]], list[Answer]]
    ) -> list[Answer]:
        answers = [answer for some in batches(bodies, MSEARCH_ITEMS) for answer in search(some)]
        for answer in answers:
            self._note_hits(name, answer)
        return answers

    def _msearch(self, path: str, header: Body, bodies: Sequence[Body]) -> list[Answer]:
        lines = to_lines(line for body in bodies for line in (header, body))

        def once() -> list[Answer]:
            answer = self.client.send("POST", f"{path}/_msearch", {}, lines, lines=True)
            answers = shapes.responses_of(answer, bodies)
            for answer in answers:
                if "error" in answer:
                    raise RefusedError.from_answer(answer["status"], answer["error"])
            return answers

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
        documents = self._mget_at_home(name, ids, fields, routings or {})
        if name in self.sets:
            stray = [id_ for id_ in ids if id_ not in documents and self.sets[name].home(id_)]
            self.sets[name].forget(stray)
            if self.refresh_set(name) or stray:  # they lie in another index than they did
                documents |= self._mget_at_home(
                    name, [id_ for id_ in ids if id_ not in documents], fields, routings or {}
                )
        return documents

    def _mget_at_home(
        self, name: str, ids: Sequence[str], fields: Sequence[str] | None, routings: Mapping[str, str]
    ) -> dict[str, Answer]:
        several, homes = self.find_set(name), self._homes(name, ids)
        if several and several.newest:  # what a search does not show yet can only be there
            homes = dict.fromkeys(ids, several.newest) | homes
        places = {"routing": routings, "_index": homes}
        docs = [
            {"_id": id_} | {part: kept[id_] for part, kept in places.items() if id_ in kept}
            for id_ in ids
            if not several or id_ in homes
        ]
        return {
            document["_id"]: document
            for some in batches(docs, MGET_DOCUMENTS if fields is None else MGET_IDS)
            for document in self._mget(name, some, fields)
            if document["found"]
        }

    def _mget(
        self, name: str, docs: Sequence[Mapping[str, str]], fields: Sequence[str] | None
    ) -> list[Answer]:
        """The answer for each of these, which have their `_id`, and their routing and index if need be."""
        path, ids = f"/{quote(name, safe='')}/_mget", [doc["_id"] for doc in docs]
        params = {} if fields is None else {"_source": ",".join(fields)}
        body = to_json({"docs": docs} if any(len(doc) > 1 for doc in docs) else {"ids": ids})

        def once() -> list[Answer]:
            answer = self.client.send("POST", path, params, body, lines=False)
            documents = shapes.documents_of(answer, ids)
            if fields is None:
                texts = source_text.inner_texts(answer.text, "docs", "_source")
                documents = [
                    document | {"_source": text} for document, text in zip(documents, texts, strict=True)
                ]
            for document in documents:
                if "error" in document:  # without a status; a shard of a new index may not answer yet
                    kind = document["error"]["type"]
                    if name in self.sets and kind in _MOVED_ERRORS:
                        self.sets[name].is_outdated = True
                    elif kind != "routing_missing_exception":
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
        size = MAX_WINDOW_HITS if self.find_set(name) else MGET_IDS  # an id may stand in several indices
        for some in batches(ids, MGET_IDS):
            query = {"ids": {"values": some}}
            yield from self.search(name, {"size": size, "query": query, **fields})["hits"]["hits"]

    def search_index(self, index: str, body: Body) -> Answer:
        """One search of one index. Raises EngineError if it is closed or gone, also if it is one of a set."""
        path, shape = f"/{quote(index, safe='')}/_search", partial(shapes.hits_of, body=body)
        answer: Answer = self.send("POST", path, body, shape=shape, allow_partial_search_results="false")
        return answer

    def find_older(self, name: str, ids: Sequence[str], fields: Body | None = None) -> list[Answer]:
        """The older documents of these ids that other indices of a set have, as of the last refresh: a tool
        that indexes an article again after a rollover leaves one. [] for what is no set.
        """
        several = self.find_set(name)
        if several is None:
            return []
        hits = list(self.hits_of(name, ids, fields or {"_source": False}))  # which notes the newest of each
        return [hit for hit in hits if not several.is_current(hit)]

    def scroll(self, name: str, body: Body) -> Iterator[list[Answer]]:
        """All hits of a search in pages of its size, as the index was at the first one.

        The server turns the page even if its answer is lost: EngineError at the end when a page was missed.
        """
        body = {**body, "track_total_hits": True}

        def page(answer: Any) -> Answer:
            return shapes.object_of(shapes.hits_of(answer, body), "_scroll_id")

        params = self.unless_gone(name)
        answer = self.ask_all(
            name, lambda path: self.send("POST", f"{path}/_search", body, shape=page, scroll=SCROLL, **params)
        )
        missing = answer["hits"]["total"]["value"]
        try:
            while hits := answer["hits"]["hits"]:
                missing -= len(hits)
                self._note_hits(name, answer)
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
            raise EngineError(f"{self.name} returned {missing} documents too few: try again", temporary=True)
