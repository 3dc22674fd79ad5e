"""Stories in words, and as plain values for JSON, for the page and the terminal; it needs no extra.

`story.py` and `story_list.py` make the values, `wording.py` the words.
"""
