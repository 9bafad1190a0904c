"""Denser summaries with an LLM: what is asked, whom, and what of the answer may be kept."""
