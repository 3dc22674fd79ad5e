"""What the page and the terminal say of stories, in words and as plain values for JSON; it needs no extra."""
