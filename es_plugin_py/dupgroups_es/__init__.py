"""Elasticsearch and OpenSearch plugged into dup-groups: grouped documents in an index that collapses them.

| what | is in |
|---|---|
| the engine | `base.py`; `elasticsearch.py` and `opensearch.py` have what differs |
| its parts | `story_search.py`, `record_store.py`, `story_keeper.py`, `reading.py` |
| look-ups by key | `lookups.py`, `archived_keys.py` |
| writing | `record_store.py` plans it, `cluster.py` says where, `patient_client.py` sends it |
| what this process wrote and a search may not show yet | `overlay.py` |
| documents as JSON, ours and those of others | `document_source.py` |
| search bodies, and the shapes of answers | `queries.py`, `search_queries.py`; `shapes.py` |
| requests | `cluster.py`, `index_requests.py`, `patient_client.py`, `transport.py` |
| the index itself | `mapping.py`, `layout.py`, `index_templates.py` |
| several indices under one name | `index_set.py`, `index_names.py` |
| small indices beside it | `redirects.py`, `correction_index.py`, `revision_index.py`, `story_index.py` |
| indices of other tools | `external_index.py`, `followed.py`, `sliced.py`; `rewriting.py` writes into them |
| how far an index was written or settled | `positions.py`, `settling.py` |
| bulks of other writers, for the filter | `bulk_lines.py`, `document_signer.py`, `acknowledged.py` |
| `dup-groups doctor` | `health.py` |
| the command `backfill`: all documents of an index at once | `backfill/` |

`.importlinter` says which of them may import which.

A `RecordReader` reads records, a `RecordStore` writes them and is a Store; its `StoryKeeper` keeps the
records of stories. Two stores have the hooks that those leave open: `ClusterEngine`, the engine of all
clusters, and `ExternalIndex`, which groups an index of other tools in place. What follows such an index
(`followed.py`), or reads it a part at a time (`sliced.py`), holds one.
"""
