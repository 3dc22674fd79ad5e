"""Random writers that die at random writes, on a real server: `make soak`."""
