"""What one commit of the index holds, open as arrays."""
