"""The records of the flow, the configuration, and the forms in which documents come."""

from dupgroups.model.records import *  # noqa: F403 - its data types are what this package is for
