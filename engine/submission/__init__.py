"""What is done with a URL that somebody names: checked, settled, queued or kept for the operator."""
