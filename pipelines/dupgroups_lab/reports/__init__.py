"""Reports of measurements as self-contained HTML files."""
