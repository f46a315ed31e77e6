"""Agents: each a short file on the same loop."""
