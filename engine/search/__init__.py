"""What a person typed -> a page of results: the one door for search_ui and commands."""
