"""How fast the grader is on this machine. No test measures time; these do."""
