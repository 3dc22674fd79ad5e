"""The input of commands: one page, or the documents of a file or folder in any format (`documents`)."""
