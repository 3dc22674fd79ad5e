"""Language and text: characters, words, sentences, shingles, charsets, languages, URLs. Pure functions."""
