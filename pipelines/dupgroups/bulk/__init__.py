"""Many documents at once: read from files, added, grouped as a corpus, grouped again in an index, checked."""
