"""What is right, obviously and without speed: the oracles that are more than `reference` has.

A module a topic; those of `sampling` that are about answers and their search are in `answers`.
"""
