"""Which known words stand where in the octets of texts: chunks, term numbers, places; compiled loops."""
