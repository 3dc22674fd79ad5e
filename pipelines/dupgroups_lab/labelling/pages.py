"""The templates of the labelling pages; every value is escaped, an undefined one is an error."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dupgroups.web.addresses import web_address
from dupgroups.web.dates import day
from dupgroups.web.wording import counted
from dupgroups_lab.labelling.model import ANSWERS
from dupgroups_lab.labelling.tuning import View
from dupgroups_lab.reports.plots import Series, line_plot

_QUESTIONS = {
    "news": "Is this a news article?",
    "pairs": "Are these about the same event, and does one tell more?",
}


def plot(view: View) -> Markup:
    """Precision, recall, MCC (0 where it is negative) and groups a document over the thresholds, as SVG."""
    documents = max(len(view.scheme.documents), 1)
    values = {
        "precision": [point.pairs.precision for point in view.points],
        "recall": [point.pairs.recall for point in view.points],
        "MCC": [max(point.pairs.mcc, 0.0) for point in view.points],
        "groups / documents": [point.groups / documents for point in view.points],
    }
    across = [point.threshold for point in view.points]
    series = [Series(name, list(zip(across, line, strict=True))) for name, line in values.items()]
    line = Series("this threshold", [(view.at.threshold, 0.0), (view.at.threshold, 1.0)])
    drawn = line_plot("What a threshold does", view.scheme.scale.parameter, "", [*series, line])
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
    environment.filters.update(day=day, web_address=web_address)
    environment.globals.update(
        answers=ANSWERS, counted=counted, plot=plot, questions=_QUESTIONS, version=version("dup-groups")
    )
    return environment


_TEMPLATES = _environment()
