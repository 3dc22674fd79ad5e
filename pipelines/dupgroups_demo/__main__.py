"""`python -m dupgroups_demo` is `dup-groups demo`."""

from dupgroups_demo.command import app

app()
