"""A bundled week of an invented project, and what replays it through the hooks as the client would."""
