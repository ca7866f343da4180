"""What is in a model file."""

from __future__ import annotations
