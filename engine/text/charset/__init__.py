"""Which charset a body is in: bytes -> Unicode text, as browsers decode them (Encoding Standard)."""
