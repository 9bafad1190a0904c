"""The summary DAG: depth-aware summaries laid over a memory file, each of which can be opened again."""
