"""Commands that administer the data folder and who may use it."""
