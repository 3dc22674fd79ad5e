"""Sign, look, plan, commit: how documents come into their groups, and stay there.

| step | is in |
|---|---|
| all of them, for a program | `deduper.py`; `ingest.py` for a crawl, with `dead_letters.py` |
| the methods that a configuration names | `method_set.py` |
| sign | `signing.py` |
| look | `view_builder.py`, as far as `frontier.py` says, which ask the store through `lookup_cache.py` |
| plan | `grouping.plan`, called by `committer.py`; `receiver.py` says what has to be written |
| commit | `committer.py`; `commit_loop.py` holds the loop that every writer goes through |
| what people correct | `corrector.py` |
| look without storing | `finding.py`, `explain/`; `document_names.py` finds the document that is meant |
| whose pages they are | `publishers.py` |
| alerts about stories | `alerts/` |
"""
