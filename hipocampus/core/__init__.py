"""Pure values and functions: entries, nodes, topics, periods, tokens. No input or output, no clock."""
