"""`dup-groups demo`: seven news sites that publish the same stories in different ways, and the ground truth.

`build()` makes the pages, `serve()` serves them on 127.0.0.1 under names such as `ellery-review.localhost`,
which browsers resolve themselves. The sites are not on disk, and nothing leaves the machine.
"""

from dupgroups_demo.pages import DEFAULT_PORT, DemoPage, DemoSite, build
from dupgroups_demo.server import seeds, serve

__all__ = ["DEFAULT_PORT", "DemoPage", "DemoSite", "build", "seeds", "serve"]
