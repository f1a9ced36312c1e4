"""What is checked of the exercises: each lesson has a module of cases and budgets, and a page of hints and mistakes."""
