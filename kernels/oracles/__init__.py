"""What is right, obviously and without speed: the oracles that are more than `reference` has, a module a topic."""
