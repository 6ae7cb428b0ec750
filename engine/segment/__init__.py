"""How a full-text index lies on the disk: segments of arrays, and Whoosh's way into them."""
