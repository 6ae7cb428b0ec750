"""Commands for who writes a spider of their own: they ask for single pages, and store nothing."""
