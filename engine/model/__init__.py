"""Which values travel between the rooms, frozen: pages and visits, choices, notes, messages."""
