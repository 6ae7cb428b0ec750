"""Which fields the index has, which numbers its ranking uses, and which generation is current."""
