"""Take something out of a memory for good: the one sanctioned rewrite of raw logs."""
