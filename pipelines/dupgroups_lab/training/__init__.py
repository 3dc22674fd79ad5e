"""From labelled pages to the weights of the extractors that learn."""
