"""Find and choose what to show."""
