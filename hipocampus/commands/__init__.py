"""One module a CLI verb: plain arguments in, exit code out."""
