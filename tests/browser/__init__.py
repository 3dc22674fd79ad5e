"""The search page in front of a real server and a real browser."""
