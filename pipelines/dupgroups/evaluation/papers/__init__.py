"""The papers' ablations, repeated on labelled documents: one paper, one file."""
