"""Plain rows made into text, Markdown, HTML and SVG; knows nothing of traces."""
