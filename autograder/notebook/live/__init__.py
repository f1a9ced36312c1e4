"""What a notebook's session does beside its cells: it listens to a check, says how far it is, and knows the names."""
