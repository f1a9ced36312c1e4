"""What the meters do with torch themselves: out of their own sight, and by functions that no answer has touched."""
