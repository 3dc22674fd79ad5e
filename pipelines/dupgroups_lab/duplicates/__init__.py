"""Evaluation of duplicate detection: on labelled pairs, on edited copies, and by the recall of keys."""
