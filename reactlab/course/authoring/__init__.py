"""From one source to the four notebooks of a lesson, as `docs/authoring.md` describes it."""
