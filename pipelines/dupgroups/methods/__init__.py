"""How documents are signed and compared: signers and judges, what they share, and the registry that finds
methods by name."""
