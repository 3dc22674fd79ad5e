"""Sentences that reach the labelling pages from elsewhere; see `dupgroups.web.catalog`."""

from __future__ import annotations

from dupgroups.web.language import gettext_noop as _

SENTENCES = (
    _("Sign in first: an answer needs to know who gives it."),
    _("Only the lead of the project may see this page."),
    _("give a name of 1 to %(most)s characters"),
    _("this token is not right: ask the person who started the server for it"),
    _("this is no answer to an item of this project: go back and choose one"),
    _("you answered the other question about this document: somebody else has to answer"),
)
