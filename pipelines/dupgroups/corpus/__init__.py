"""What is learned from many documents: what the pages of a host share."""
