"""What is said of a verdict, on its card and in its plain text: sentences, advice, and hints."""
