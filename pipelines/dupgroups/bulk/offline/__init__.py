"""Group a corpus of documents at once, without an engine: sign, sort the keys, judge, unite, on all cores."""
