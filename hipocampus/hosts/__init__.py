"""One adapter a host: payload in, output shape out, transcript reader."""
