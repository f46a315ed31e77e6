"""Agents at work, each with its tools and its embedded data."""
