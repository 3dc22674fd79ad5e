"""The official clients of other languages: `make test-writers` runs those whose tools are here.

Each writes the same documents once straight into a cluster and once through a filter: the same sources but
for the `dup_` fields, the same answers, also when the cluster refuses with 409, 413 or 429, and the groups of
`dup-groups group`.
"""
