"""One module an event: payload, library, output."""
