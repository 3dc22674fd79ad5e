"""A labelling page on a free port, and somebody who fills in its forms without JavaScript."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import unescape
from urllib.parse import urlencode

from browser.serving import Site, serving_app
from dupgroups_lab.labelling.labelling_site import SignIn, create_app
from dupgroups_lab.labelling.store import LabelStore
from dupgroups_lab.labelling.study import Study
from processes import Answer


class Visitor:
    """Keeps the cookie, and sends forms as a browser does."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def ask(
        self, path: str, form: dict[str, str] | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        sent = {"Cookie": self.cookie, "Accept-Language": "en", **(headers or {})}
        method, body = ("GET", None) if form is None else ("POST", urlencode(form).encode())
        answer = Site(self.port).get(path, sent, method=method, body=body)
        self.cookie = answer.headers.get("set-cookie", self.cookie).partition(";")[0]
        return answer

    def sign_in(self, name: str, token: str = "") -> Answer:
        return self.ask("/sign-in", {"name": name, "password": token})


def fields(page: Answer) -> dict[str, str]:
    """The hidden fields of the first form of a page."""
    form = page.text.partition("<form")[2].partition("</form>")[0]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)
    return {name: unescape(value) for name, value in found}


@contextmanager
def labelling(store: LabelStore, *, open_: bool = True, hosts: Sequence[str] | None = None) -> Iterator[int]:
    """Serve a project until the block ends; gives the port."""
    entrance = SignIn(store.secrets(), open_=open_)
    with serving_app(create_app(Study(store), entrance, hosts=hosts)) as port:
        yield port
