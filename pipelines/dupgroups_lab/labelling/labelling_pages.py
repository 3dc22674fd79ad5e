"""The templates of the labelling pages; every value is escaped, an undefined one is an error."""

from importlib.metadata import version
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader

from dupgroups.presentation.date_formats import day
from dupgroups.presentation.languages import gettext_noop, register
from dupgroups.web.parameters import web_address
from dupgroups.web.render import make_environment
from dupgroups_lab.labelling.model import ANSWERS

_QUESTIONS = {
    "news": gettext_noop("Is this a news article?"),
    "pairs": gettext_noop("Are these about the same event, and does one tell more?"),
}


def render(template: str, **values: Any) -> str:
    """Render a template of `labelling/templates`."""
    return _TEMPLATES.get_template(template).render(**values)


def _environment() -> Environment:
    packages = ("dupgroups_lab.labelling", "dupgroups.web")
    environment = make_environment(ChoiceLoader(list(map(PackageLoader, packages))))
    environment.filters.update(day=day, web_address=web_address)
    environment.globals.update(answers=ANSWERS, questions=_QUESTIONS, version=version("dup-groups"))
    return environment


register("dupgroups_lab.labelling")
_TEMPLATES = _environment()
