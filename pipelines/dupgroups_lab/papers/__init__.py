"""The papers' experiments on labelled documents, one file per paper; `exact` and `extracted` are shared."""
