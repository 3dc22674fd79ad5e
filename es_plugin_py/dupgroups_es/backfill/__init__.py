"""Group all documents of an index of other tools at once: signed by all cores, grouped without look-ups."""
