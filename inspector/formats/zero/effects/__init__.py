"""What the events of Zero do."""
