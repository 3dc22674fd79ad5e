"""CEDAR's experiments on documents: `ablation` gives the tables and figures, `trained` trains by folds."""
