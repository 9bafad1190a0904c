"""The only place that touches the disk: home, layout, config, state, files."""
