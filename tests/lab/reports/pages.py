"""What every report keeps: it is whole, and needs nothing from elsewhere."""

from __future__ import annotations

import re
from xml.etree import ElementTree

EVIL = "<script>alert('1')</script> & co"


def read(page: str) -> ElementTree.Element:
    """The body of a report, in which every element is closed, and that loads and runs nothing."""
    assert "<script" not in page
    assert not re.search(r"""(?:src|href)=|url\(|@import""", page)
    body = page[page.index("<body>") : page.index("</html>")]
    return ElementTree.fromstring(body.replace("<br>", "<br/>"))
