"""How well methods find duplicates: on labelled pairs, on edited copies, through their keys."""
