"""Many documents at once: read from files, added, grouped as a pile, grouped again in an index, checked."""
