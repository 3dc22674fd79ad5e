"""Why two documents are one story or two, and why a page has this text: pure, for people to read."""
