"""Whether two texts are one: fingerprints of equal texts, sketches of nearly equal ones."""
