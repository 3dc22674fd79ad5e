"""The templates, and what they need to render hostile titles, texts and URLs safely."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dupgroups.engines.common import names_of
from dupgroups.engines.paging import pages
from dupgroups.presentation.dates import day, days, instant, moment, span
from dupgroups.presentation.language import (
    current,
    gettext,
    gettext_noop,
    language_name,
    ngettext,
    plural,
    sentence,
)
from dupgroups.presentation.wording import (
    NAMES,
    RELATIONS,
    SCALE,
    arrivals,
    changed,
    limits,
    name_of,
    needed,
    number,
    published_first,
    totals,
)
from dupgroups.text.snippets import CLOSE, OPEN
from dupgroups.web.by_site import by_site
from dupgroups.web.chart import HEIGHT, bars
from dupgroups.web.parameters import (
    LONGEST,
    api_url,
    explain_url,
    feed_url,
    group_url,
    host_of,
    kept,
    login_url,
    page_url,
    path_of,
    search_url,
    web_address,
)

_MARKED = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
_STRAY = re.compile(f"[{OPEN}{CLOSE}]")

MODES = {
    "collapse": (
        gettext_noop("Stories"),
        gettext_noop("One hit for each story: the copy that fits the search best"),
    ),
    "head": (
        gettext_noop("First copies"),
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
        highlighted=highlighted, web_address=web_address, host=host_of, path=path_of, day=day, moment=moment,
        instant=instant, names=names_of, by_site=by_site, span=span, name=name_of, changed=changed,
        published_first=published_first, arrivals=arrivals, language_name=language_name,
    )  # fmt: skip
    environment.globals.update(
        totals=totals, limits=limits, search_url=search_url, group_url=group_url, page_url=page_url,
        login_url=login_url, panel=None,
        api_url=api_url, explain_url=explain_url, pages=pages, modes=MODES,
        longest=LONGEST, most_names=NAMES, relations=RELATIONS, scale=SCALE, needed=needed, number=number,
        looser=None, version=version("dup-groups"), bars=bars,
        chart_height=HEIGHT, days=days, feed_url=feed_url, kept=kept,
    )  # fmt: skip
    return environment


def speaking(environment: Environment) -> None:
    """Let templates speak the language of the reader: `gettext`, `{% trans %}`, `plural`, `sentence`."""
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters.update(sentence=sentence)
    environment.globals.update(plural=plural, spoken=current)


_TEMPLATES = _environment()


def render(template: str, **values: Any) -> str:
    """Render a template of `web/templates`; every value is escaped, an undefined one is an error."""
    return _TEMPLATES.get_template(template).render(**values)
