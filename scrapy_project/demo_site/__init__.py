"""A small news world on loopback: seven sites that print the same stories in their own way, and the truth.

`build()` makes the pages, `serve()` puts them on ports of 127.0.0.1, `python -m demo_site` does both until
Ctrl-C. Nothing is written and nothing leaves the machine.
"""

from demo_site.pages import FIRST_PORT, DemoPage, DemoSite, build
from demo_site.server import seeds, serve

__all__ = ["FIRST_PORT", "DemoPage", "DemoSite", "build", "seeds", "serve"]
