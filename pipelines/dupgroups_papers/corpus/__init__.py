"""Statistics of many documents: in how many a word or phrase stands."""
