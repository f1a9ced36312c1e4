"""What the course measures of itself and of the machine it runs on. No test measures time; these do."""
