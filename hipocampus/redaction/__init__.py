"""Secrets out of text: text in, text out."""
