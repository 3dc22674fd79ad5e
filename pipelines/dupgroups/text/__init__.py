"""Text processing: characters, words, sentences, shingles, charsets, languages, URLs. Pure functions."""
