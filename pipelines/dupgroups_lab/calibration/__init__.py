"""Calibration: from labelled pairs to thresholds in a configuration."""
