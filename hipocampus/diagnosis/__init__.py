"""What is wrong, and what to do about it: one module a subject, read-only, whatever state things are in."""
