"""What was measured as HTML files that need nothing else."""
