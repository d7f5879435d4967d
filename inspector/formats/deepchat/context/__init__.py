"""What the owner makes of its records when it asks the model (RULES C)."""
