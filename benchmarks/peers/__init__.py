"""What ours is measured against; each uses its own library as that library's manual shows it."""
