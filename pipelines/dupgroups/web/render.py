"""The templates, and what they need to render hostile titles, texts and URLs safely."""

from __future__ import annotations

import re
from importlib.metadata import metadata, version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dupgroups.engines.common import names_of
from dupgroups.engines.paging import pages
from dupgroups.presentation import dates, language, wording
from dupgroups.presentation.language import gettext_noop
from dupgroups.text.snippets import CLOSE, OPEN
from dupgroups.web import chart, parameters

_MARKED = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
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


def highlighted(snippet: str) -> Markup:
    """The snippet as HTML: it is escaped first, then the text between U+E000 and U+E001 is marked."""
    return Markup(_STRAY.sub("", _MARKED.sub(r"<mark>\1</mark>", str(escape(snippet)))))  # noqa: S704


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dupgroups.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    speaking(environment)
    environment.filters.update(
        highlighted=highlighted, web_address=parameters.web_address, host=parameters.host_of, names=names_of,
        day=dates.day, moment=dates.moment, instant=dates.instant, span=dates.span, name=wording.name_of,
        changed=wording.changed, later=wording.later,
        published_first=wording.published_first, arrivals=wording.arrivals,
        language_name=language.language_name,
    )  # fmt: skip
    environment.globals.update(
        totals=wording.totals, limits=wording.limits, needed=wording.needed,
        number=wording.number, relations=wording.RELATIONS, scale=wording.SCALE, most_names=wording.NAMES,
        search_url=parameters.search_url, group_url=parameters.group_url, page_url=parameters.page_url,
        login_url=parameters.login_url, api_url=parameters.api_url, explain_url=parameters.explain_url,
        feed_url=parameters.feed_url, csv_url=parameters.csv_url, kept=parameters.kept,
        longest=parameters.LONGEST, pages=pages, modes=MODES, bars=chart.bars, chart_height=chart.HEIGHT,
        days=dates.days, panel=None, looser=None, given="", version=version("dup-groups"), docs=_docs(),
    )  # fmt: skip
    return environment


def _docs() -> str:
    """Where the docs of this distribution are."""
    urls = dict(url.split(", ", 1) for url in metadata("dup-groups").get_all("Project-URL", []))
    return str(urls["Documentation"])


def speaking(environment: Environment) -> None:
    """Let templates speak the language of the reader: `gettext`, `{% trans %}`, `plural`, `sentence`."""
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(language.gettext, language.ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters.update(sentence=language.sentence)
    environment.globals.update(plural=language.plural, spoken=language.current)


_TEMPLATES = _environment()


def render(template: str, **values: Any) -> str:
    """Render a template of `web/templates`; every value is escaped, an undefined one is an error."""
    return _TEMPLATES.get_template(template).render(**values)
