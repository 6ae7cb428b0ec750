"""What an HTML page says: markup -> title, sections, links and metadata, in one parse."""
