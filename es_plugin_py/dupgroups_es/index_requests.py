"""The requests that are about indices themselves, and which of them a name stands for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from dupgroups.errors import ConfigError, EngineError
from dupgroups_es import index_templates, shapes
from dupgroups_es.index_set import IndexSet
from dupgroups_es.patient_client import PatientClient
from dupgroups_es.positions import Position, Shard
from dupgroups_es.transport import RefusedError, to_json

Answer = dict[str, Any]
Body = Mapping[str, Any]
T = TypeVar("T")


class IndexRequests(PatientClient):
    """The requests about indices; see `cluster` for those about documents."""

    def index(self, name: str) -> dict[str, Answer]:
        """The indices behind a name or alias with mappings and settings; {} when there are none."""
        path = f"/{quote(name, safe='')}"
        # An answer without indices instead of a 404, which clients log as if something were wrong.
        indices: dict[str, Answer] = self.send(
            "GET",
            path,
            shape=shapes.indices_of,
            flat_settings="true",
            ignore_unavailable="true",
            expand_wildcards="open,closed",
        )
        return indices

    def names(self, name: str) -> dict[str, Answer]:
        """The indices behind a name or pattern with `aliases`, `uuid`, and the `data_stream` that an index
        may be of; `is_alone`: it has groups of its own; `is_closed`. {} when there are none. Their mappings,
        which may be megabytes, are not sent.
        """
        indices: dict[str, Answer] = self.send(
            "GET",
            f"/{quote(name, safe=',')}",
            shape=shapes.names_of,
            ignore_unavailable="true",
            filter_path="*.aliases,*.data_stream,*.settings.index.uuid,"
            "*.settings.index.verified_before_close,*.mappings._meta.dup_groups",
        )
        return indices

    def create_index(self, name: str, body: Body) -> None:
        """Make an index as `body` says, with nothing that the templates of other tools would add to it.

        Nothing happens when another process was faster. Raises ConfigError if a template cannot be kept away.
        """
        self.check_templates(name, body)
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

    def check_templates(self, name: str, body: Body) -> None:
        """Raises ConfigError if templates of other tools would add something to an index of this name.
        Nothing is checked for a user who may not read templates.
        """
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

    def roll_over(self, alias: str, body: Body) -> str | None:
        """Give an alias another index to write to, as `body` says; its name, None if no condition is met."""
        forms = {index: answer["aliases"].get(alias, {}) for index, answer in self.index(alias).items()}
        if len(forms) == 1 and not any(form.get("is_write_index") for form in forms.values()):
            ((index, form),) = forms.items()  # else the alias would leave it
            added = {"add": {"index": index, "alias": alias, **form, "is_write_index": True}}
            self.send("POST", "/_aliases", {"actions": [added]}, shape=_check_acknowledged)
        path = f"/{quote(alias, safe='')}/_rollover"
        planned = self.send("POST", path, body, shape=_check_rolled_over, dry_run="true")
        self.check_templates(planned["new_index"], body)
        made = self.send("POST", path, body, shape=_check_rolled_over)
        return str(made["new_index"]) if made["rolled_over"] else None

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
            **self.unless_gone(*names),
        )

    def deletions(self, name: str) -> object:
        """A number that changes when somebody deletes documents behind a name, or a node starts again."""
        path = f"/{quote(name, safe='')}/_stats/indexing"
        only = "_all.primaries.indexing.delete_total"
        return self.send("GET", path, filter_path=only, forbid_closed_indices="false")

    def positions(self, name: str) -> dict[Shard, Position]:
        """How far each shard behind a name has been written."""
        copies = self.send(
            "GET",
            f"/{quote(name, safe='')}/_stats/docs",
            shape=shapes.shards_of,
            level="shards",
            filter_path="indices.*.uuid,indices.*.shards.*.seq_no,indices.*.shards.*.routing.primary",
            forbid_closed_indices="false",
        )
        if name in self.sets:
            indices = self.names(name)
            self.sets[name].notice({index for index, answer in indices.items() if not answer["is_closed"]})
            self.refresh_set(name)
        several = self.find_set(name)
        absent = {*several.closed, *several.left_out} if several else set()
        return {
            Shard(name, index, uuid, number): Position(
                copy["seq_no"]["max_seq_no"], copy["seq_no"]["global_checkpoint"]
            )
            for index, uuid, number, copy in copies
            if copy["routing"]["primary"] and "seq_no" in copy and index not in absent
        }

    # -- several indices under one name

    def open_set(self, name: str, answers: Mapping[str, Answer] | None = None) -> list[str]:
        """Use whatever indices a name stands for as one, from now on; returns those that are new.

        Of a set that `catches_up` all that was written before is visible then.
        """
        several = self.sets.setdefault(name, IndexSet(name))
        new = several.update(self.index(name) if answers is None else answers)
        if new and several.is_several and several.catches_up:
            self.refresh(name)
        return new

    def ask_all(self, name: str, ask: Callable[[str], T]) -> T:
        """The answer to what is asked of the path of a name; asked again if it was refused because there are
        others behind it than there were.
        """
        several = self.sets.get(name)
        try:
            return ask(f"/{quote(several.path if several else name, safe=',')}")
        except EngineError as error:
            before = several.state if several else None
            if several is None or error.temporary:
                raise
            self.open_set(name)
            if several.state == before:
                raise
            return ask(f"/{quote(several.path, safe=',')}")

    def is_current(self, name: str, hit: Answer) -> bool:
        """Whether a hit is the document of its id: in a set an older index may have an older one."""
        several = self.find_set(name)
        return several is None or several.is_current(hit)

    def refresh_set(self, name: str) -> bool:
        """Look which indices the name stands for, if that has changed; whether it had."""
        several = self.sets[name]
        if several.is_outdated:
            self.open_set(name)
            return True
        return False

    def find_set(self, name: str) -> IndexSet | None:
        """The set of this name, if there are several indices behind it."""
        several = self.sets.get(name)
        return several if several and several.is_several else None

    def unless_gone(self, *names: str) -> dict[str, Any]:
        """Parameters that let a request for a set go on without indices that are closed or deleted."""
        return {"ignore_unavailable": "true"} if any(map(self.of_set, names)) else {}

    def of_set(self, name: str) -> bool:
        """Whether a name is that of a set, or of one of its indices: it may be closed or deleted any time."""
        used = (several for several in self.sets.values() if several.is_several)
        return any(name == several.name or name in several.indices for several in used)


def _check_rolled_over(answer: Any) -> Answer:
    return shapes.object_of(answer, "new_index", "rolled_over")


def _check_acknowledged(answer: Any) -> Answer:
    return shapes.object_of(answer, "acknowledged")
