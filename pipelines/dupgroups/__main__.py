"""`python -m dupgroups` is the command `dup-groups`."""

from dupgroups.cli import main

if __name__ == "__main__":  # worker processes load this file too
    main()
