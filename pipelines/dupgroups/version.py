"""The version of the installed distribution, as `dupgroups.__version__`."""

from importlib.metadata import version

__version__ = version("dup-groups")
