"""The templates, and what they need to render hostile titles, texts and URLs safely."""

from __future__ import annotations

import re
from importlib.metadata import metadata, version
from typing import Any

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dupgroups.engines.common import names_of
from dupgroups.engines.paging import pages
from dupgroups.presentation import date_formats, languages, wording
from dupgroups.presentation.languages import gettext_noop
from dupgroups.text.snippets import CLOSE, OPEN
from dupgroups.web import chart, parameters

_MARKED_PART = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
_STRAY = re.compile(f"[{OPEN}{CLOSE}]")

MODES = {
    "collapse": (
        gettext_noop("Stories"),
        gettext_noop("One hit for each story: the copy that fits the search best"),
    ),
    "head": (
        gettext_noop("Main copies"),
        gettext_noop("One hit for each story: only the copy that stands for it is searched"),
    ),
    "all": (gettext_noop("All documents"), gettext_noop("Every copy is a separate hit")),
}


def highlight(snippet: str) -> Markup:
    """The snippet as HTML: it is escaped first, then the text between U+E000 and U+E001 is marked."""
    return Markup(_STRAY.sub("", _MARKED_PART.sub(r"<mark>\1</mark>", str(escape(snippet)))))  # noqa: S704


def _environment() -> Environment:
    environment = make_environment(PackageLoader("dupgroups.web"))
    urls = metadata("dup-groups").get_all("Project-URL", [])
    environment.filters.update(
        highlighted=highlight, web_address=parameters.web_address, host=parameters.host_of, names=names_of,
        day=date_formats.day, moment=date_formats.moment, instant=date_formats.instant,
        span=date_formats.span, name=wording.name_of,
        changed=wording.describe_change, edited=wording.describe_edit, later=wording.describe_delays,
        published_first=wording.published_first, arrivals=wording.arrivals,
        sources=wording.describe_sources, evidence=wording.describe_evidence,
        language_name=languages.language_name,
    )  # fmt: skip
    environment.globals.update(
        totals=wording.totals, limits=wording.limits, needed=wording.describe_needed,
        number=wording.number, described=wording.describe_relation, scale=wording.SCALE,
        sum_note=wording.SUM, points=wording.describe_points, left_out=wording.describe_left_out,
        most_names=wording.MAX_SHOWN_AUTHORS,
        search_url=parameters.search_url, group_url=parameters.group_url, page_url=parameters.page_url,
        login_url=parameters.login_url, api_url=parameters.api_url, explain_url=parameters.explain_url,
        feed_url=parameters.feed_url, csv_url=parameters.csv_url, kept=parameters.changed_parameters,
        longest=parameters.MAX_QUERY_CHARS, pages=pages, modes=MODES, bars=chart.bars,
        chart_height=chart.HEIGHT_PIXELS,
        days=date_formats.days, panel=None, looser=None, given="", version=version("dup-groups"),
        docs=dict(url.split(", ", 1) for url in urls)["Documentation"],
    )  # fmt: skip
    return environment


def make_environment(loader: BaseLoader) -> Environment:
    """Templates that escape every value, and speak the language of the reader: `gettext`, `{% trans %}`,
    `plural`, `sentence`. An undefined value is an error.
    """
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(languages.gettext, languages.ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters.update(sentence=languages.sentence)
    environment.globals.update(plural=languages.plural, spoken=languages.current)
    return environment


_TEMPLATES = _environment()


def render(template: str, **values: Any) -> str:
    """Render a template of `web/templates`; every value is escaped, an undefined one is an error."""
    return _TEMPLATES.get_template(template).render(**values)
