"""An HTTP server in front of a cluster that speaks the cluster's API and groups what is written through it.

`targets`, `operations`, `splicing`, `filter_path` and `answers` are pure: what a request asks for, the lines
of a bulk, and the answer. `batch` carries one request out in a worker thread, `heart` holds the index, and
`proxy` is the server.
"""
