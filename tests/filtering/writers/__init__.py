"""Writers in other languages, now JavaScript: `make test-writers` runs those whose tools are here.

Each writes the same documents once straight into Elasticsearch and once through a filter: the same sources
but for the `dup_` fields, the same counts, and the groups of `dup-groups group`.
"""
