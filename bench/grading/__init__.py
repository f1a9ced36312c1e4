"""How fast a check and a grade are, on this machine."""
