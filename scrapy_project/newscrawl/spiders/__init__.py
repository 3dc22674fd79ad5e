"""The spider `news` crawls sites."""
