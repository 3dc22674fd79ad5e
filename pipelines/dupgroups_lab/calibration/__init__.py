"""From labelled pairs to thresholds in a configuration."""
