"""Storage formats: sketches as bytes, and files of arrays."""
