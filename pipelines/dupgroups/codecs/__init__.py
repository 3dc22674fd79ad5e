"""Storage formats: the bodies of signatures, one file per kind, and files of arrays."""
