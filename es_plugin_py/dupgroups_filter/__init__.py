"""What stands before a cluster: `filter` signs documents on their way, `follow` groups them behind it.

The path holds no state and looks nothing up: `proxy` sends a request on, with the `dup_` fields in its
documents. `grouper` then groups what the cluster acknowledged, and whatever else was
written past the filter; `dup-groups follow` is this grouper alone.
"""
