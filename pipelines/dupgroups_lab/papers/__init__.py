"""The papers' ablations on labelled documents: one paper, one file. `exact` and `extracted` serve all."""
