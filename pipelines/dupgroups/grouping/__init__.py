"""Which documents belong together: pure functions over records, without a store.

`plan.py` decides about a batch, by what `view.py` has of a store; `linkage.py` which pairs hold,
`components.py` what hangs together, `constraints.py` what people said, `heads.py` which member stands for a
group. `make layers` checks that nothing here needs a store. `bulk/offline/` and `dupgroups_spark` group a
corpus with code of their own.
"""
