"""The templates of the labelling pages; every value is escaped, an undefined one is an error."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dupgroups.web.addresses import web_address
from dupgroups.web.dates import day
from dupgroups.web.language import gettext, gettext_noop, register, sentence
from dupgroups.web.render import speaking
from dupgroups_lab.labelling.model import ANSWERS
from dupgroups_lab.labelling.sentences import SENTENCES
from dupgroups_lab.labelling.tuning import View
from dupgroups_lab.reports.plots import Series, line_plot

_QUESTIONS = {
    "news": gettext_noop("Is this a news article?"),
    "pairs": gettext_noop("Are these about the same event, and does one tell more?"),
}


def plot(view: View) -> Markup:
    """Precision, recall, MCC (0 where it is negative) and groups a document over the thresholds, as SVG."""
    documents = max(len(view.scheme.documents), 1)
    values = {
        gettext("precision"): [point.pairs.precision for point in view.points],
        gettext("recall"): [point.pairs.recall for point in view.points],
        "MCC": [max(point.pairs.mcc, 0.0) for point in view.points],
        gettext("groups / documents"): [point.groups / documents for point in view.points],
    }
    across = [point.threshold for point in view.points]
    series = [Series(name, list(zip(across, line, strict=True))) for name, line in values.items()]
    line = Series(gettext("this threshold"), [(view.at.threshold, 0.0), (view.at.threshold, 1.0)])
    drawn = line_plot(
        gettext("What a threshold does"), sentence(view.scheme.scale.parameter), "", [*series, line]
    )
    return Markup(drawn)  # noqa: S704 - names of our own and numbers


def render(template: str, **values: Any) -> str:
    """Render a template of `labelling/templates`."""
    return _TEMPLATES.get_template(template).render(**values)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dupgroups_lab.labelling"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    speaking(environment)
    environment.filters.update(day=day, web_address=web_address)
    environment.globals.update(
        answers=ANSWERS, plot=plot, questions=_QUESTIONS, version=version("dup-groups")
    )
    return environment


register(SENTENCES, "dupgroups_lab.labelling")
_TEMPLATES = _environment()
