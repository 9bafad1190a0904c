"""Look over what is stored: with our own rules, which may be newer than the files, and with a second opinion."""
