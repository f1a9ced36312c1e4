"""The course's own answers, the only copy of every solution, to be read in lesson order."""
