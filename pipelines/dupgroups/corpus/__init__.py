"""What is learned from many documents: in how many a word stands, and what the pages of a host share."""
