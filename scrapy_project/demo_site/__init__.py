"""Seven news sites on loopback that publish the same stories in different ways, and the ground truth.

`build()` makes the pages, `serve()` serves them on ports of 127.0.0.1, `python -m demo_site` does both until
Ctrl-C. No file is written, and nothing leaves the machine.
"""

from demo_site.pages import FIRST_PORT, DemoPage, DemoSite, build
from demo_site.server import seeds, serve

__all__ = ["FIRST_PORT", "DemoPage", "DemoSite", "build", "seeds", "serve"]
