"""Sentences that reach the labelling pages from elsewhere; see `dupgroups.web.sentences`."""

from __future__ import annotations

from dupgroups.web.language import gettext_noop as _

SENTENCES = (
    _("Sign in first: an answer needs to know who gives it."),
    _("Only the lead of the project may see this page."),
    _("give a name of 1 to %(most)s characters"),
    _("this token is not right: ask the person who started the server for it"),
    _("this is no answer to an item of this project: go back and choose one"),
    _("you answered the other question about this document: somebody else has to answer"),
    _("this project has no such item: go back and choose one"),
    _("the configuration has changed since the diff was made: look at the new diff"),
    _("a threshold is a number from 0 to 1, not %(value)s"),
    _("the index has no documents that were signed with this configuration"),
    _("there is no configuration to write to: start with --config FILE.toml"),
    _("this judge takes a %(parameter)s from %(least)s to %(most)s: give another"),
    _("threshold"),
)
