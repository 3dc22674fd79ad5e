"""The ground floor: words, shingles, URLs, charsets, languages. Pure functions, no imports from above."""
