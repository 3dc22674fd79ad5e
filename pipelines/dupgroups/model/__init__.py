"""The records of the flow, the configuration, and the forms in which documents come."""

# ruff: noqa: F403 - their data types are what this package is for
from dupgroups.model.records import *
from dupgroups.model.search_records import *
from dupgroups.model.story_records import *
