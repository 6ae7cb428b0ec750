"""Defines how an operation of the API is described."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """One field of a query, a form or a path; `schema` in JSON Schema 2020-12."""

    name: str
    description: str
    schema: Mapping[str, object]
    example: object
    required: bool = False
    place: str = "query"  # of a GET's: or path


@dataclass(frozen=True, slots=True)
class Operation:
    """One request: what it gives in which type, with an example, and why it may refuse.

    A GET has its fields in the address, a POST in a form or in an object of JSON.
    """

    name: str
    path: str
    description: str
    media_type: str
    example: object
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[int, ...] = ()  # besides 429
    method: str = "GET"
    statuses: tuple[int, ...] = (200,)  # of the answer, where it is none of the refusals
    optional: tuple[str, ...] = ()  # what stands in the example, and in an answer only if it was asked for
    needs_token: bool = False
