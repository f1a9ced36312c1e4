"""Tilewise in nbgrader: nbgrader releases, collects and keeps the books; the grading is ours, in our sandbox."""
