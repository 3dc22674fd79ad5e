"""Random writers that die at random moments, on a real server: `make soak`."""
