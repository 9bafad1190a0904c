"""What goes into the files of a host, how it is taken out again, and whether it is right."""
