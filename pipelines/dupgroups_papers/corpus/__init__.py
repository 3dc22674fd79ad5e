"""What is learned from many documents: in how many a word or phrase stands."""
