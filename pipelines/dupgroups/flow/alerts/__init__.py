"""Alerts: what rules find in stories is told once, to a web address or a file."""
