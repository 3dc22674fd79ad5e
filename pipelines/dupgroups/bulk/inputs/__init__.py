"""What commands read: one page, or the documents of a file or folder in any format (`documents`)."""
