"""Turns become entries: journal, folding, checkpoint."""
