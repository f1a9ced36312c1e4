"""Submissions, read as data: what hostile files do while they are read, they do to a process with limits."""
