"""What an exercise is, and what the course is made of."""
