"""Messages to people: English for the terminal and for programs, translated by the search page."""

from collections.abc import Mapping
from typing import Self


class Message(str):
    """A text in English that knows what it was made from. Literals that open one are what translators get.

    `template` is in the syntax of str.format; of `values`, whole numbers are written as the language does it.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        """Makes the text, with its values filled in if there are any."""
        shown = {name: f"{one:,}" if isinstance(one, int) else one for name, one in values.items()}
        made = super().__new__(cls, template.format(**shown) if values else template)
        made.template = template
        made.values = values
        return made

    def filled(self, **values: object) -> "Message":
        """Fills values into the same template."""
        return Message(self.template, **values)
