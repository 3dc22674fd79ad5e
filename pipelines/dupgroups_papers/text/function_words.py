"""Function words: frequent and evenly spread in running text on any subject."""

from importlib.resources import files

STOPWORDS = (files(__package__) / "function_words.txt").read_text("utf-8")
"""Words separated by blanks, a kind in each line; a Chinese character is a word."""
