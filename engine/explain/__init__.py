"""Explains one URL: whether it was found, visited, permitted and indexed, and why."""

from engine.explain.explanation import Explanation, IndexStatus, explain_url
from engine.explain.formatting import explanation_lines, explanation_object

__all__ = [
    "Explanation",
    "IndexStatus",
    "explain_url",
    "explanation_lines",
    "explanation_object",
]
