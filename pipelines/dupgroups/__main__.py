"""`python -m dupgroups` is the command `dup-groups`."""

from dupgroups.cli import main

main()
