"""Models: all of them answer a `Request` with a `Completion`."""
