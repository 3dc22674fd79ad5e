"""CEDAR's experiments on documents: `ablation` gives the tables, `trained` trains by folds."""
