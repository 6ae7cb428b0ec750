"""The gates of a new generation: what it must hold and answer before it takes the place of the old one."""
