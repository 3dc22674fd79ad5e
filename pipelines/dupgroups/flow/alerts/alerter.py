"""Follows the stories of an engine that change, and adds an alert for what rules find in one to those that
wait: once a story, and once for each thing of which a story can have several (a source, a figure, a copier).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from dupgroups.engines import Engine
from dupgroups.flow.alerts.alert_rules import Finding, Rule
from dupgroups.flow.alerts.alert_state import AlertState, Told
from dupgroups.flow.alerts.alerted_story import AlertedStory
from dupgroups.flow.dead_letters import utc_now
from dupgroups.model import StoryRecord
from dupgroups.text.counted import count_noun
from dupgroups.text.terminal import plain

LOOK_STORIES = 200  # stories that are looked at together
ID_BYTES = 10  # bytes of the id of an alert


class Alerter:
    """Tells what `rules`, by their names, find in the stories of an engine; `state` has a position for each
    of them. Two processes may not share a state.
    """

    def __init__(self, engine: Engine, state: AlertState, rules: Mapping[str, Rule]) -> None:
        self._engine, self._state = engine, state
        self._rules = {rule.text: (name, rule) for name, rule in rules.items()}
        self.silenced = 0
        """How many alerts were not added, because they stood before the first run."""

    def look(self) -> bool:
        """Look at the stories that changed next, LOOK_STORIES at most for rules at one place; whether there
        may be more. Raises EngineError, and has told nothing of them, if they cannot be read.
        """
        is_more = False
        for position in self._state.positions([*self._rules]):
            stories, mark = self._engine.changed_stories(position.mark, limit=LOOK_STORIES)
            if not stories and not position.silent:
                continue
            rules = [rule for text, (_, rule) in self._rules.items() if text in position.rules]
            with self._state.transaction():
                for story in self._read(stories, rules):
                    self._tell(story, rules, silent=position.silent)
                is_full = len(stories) == LOOK_STORIES
                self._state.move(position, mark, silent=position.silent and is_full)
            is_more |= is_full
        return is_more

    def _read(self, changed: Iterable[StoryRecord], rules: Sequence[Rule]) -> Iterable[AlertedStory]:
        """The stories as they are now, under their present names, without those of no rule's interest."""
        names = [
            one.group
            for one in changed
            if self._state.is_known(one.group) or any(rule.may_find(one.copies, one.sites) for rule in rules)
        ]
        if names:
            self._engine.refresh()  # a cluster may show what a story counts before its documents
            for group, records in self._engine.members(names).items():
                if len(records) > 1:  # else it was merged since, and is among what changed next
                    yield AlertedStory(self._engine, group, records)

    def _tell(self, story: AlertedStory, rules: Iterable[Rule], *, silent: bool) -> None:
        texts = {record.id: record.fingerprint for record in story.records}
        known, found = self._state.find_told(texts), dict[Told, Finding]()
        for rule in rules:
            if rule.may_find(len(story.records), story.sites):
                for finding in rule.find(story):
                    if (rule.text, finding.key) not in known:
                        found.setdefault((rule.text, finding.key), finding)
        for (text, _), finding in found.items():
            if finding.is_news and not silent:
                self._state.add_waiting(self._describe(text, finding, story), time.time())
            self.silenced += finding.is_news and silent
        self._state.note_told(texts, found)

    def _describe(self, text: str, finding: Finding, story: AlertedStory) -> dict[str, Any]:
        """An alert as it is delivered. Its id is that of the rule, the story's name and the finding."""
        told, name = story.describe(), self._rules[text][0]
        key = f"{text}\0{story.group}\0{finding.key}".encode("utf-8", "surrogatepass")
        count = f"{told['copies']:,} copies on {count_noun(told['sites'], 'site')}"
        said = f", {finding.said}" if finding.said else ""
        line = f"{name}{said}: {told['title'] or story.group} ({count}) {told['url'] or ''}"
        id_ = blake2b(key, digest_size=ID_BYTES).hexdigest()
        alert = {"id": id_, "time": utc_now(), "rule": text, "name": name, "text": plain(line)}
        return {**alert, **told, **finding.details}
