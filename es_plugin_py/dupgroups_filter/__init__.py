"""Tools in front of a cluster: `filter` signs documents on their way, and looks nothing up (`proxy`); behind
it, what the cluster acknowledged is grouped (`grouper`, `index_grouper`). `follow` is this grouper alone.
"""
