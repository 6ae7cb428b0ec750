"""The commands that administer the data folder, and say who may use it; Scrapy finds them here, too."""
