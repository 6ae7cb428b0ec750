"""Describes the operations of the API as an OpenAPI 3.1 document."""

from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus

from engine import VERSION
from search_ui.api.operation import Operation, Parameter
from search_ui.api.operations import OPERATIONS
from search_ui.pages import JSON
from search_ui.rendering import encode_json
from search_ui.search_request import FORM

Document = Mapping[str, object]

PROBLEM_TYPE = "application/problem+json"
_PROBLEM = {"type": "about:blank", "title": "Bad Request", "status": 400, "detail": "“q” holds the words."}


@cache
def build_document(root_path: str = "") -> Document:
    """Builds the OpenAPI document of an application with this root path."""
    paths: dict[str, dict[str, Document]] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lycosa",
            "version": VERSION,
            "description": "Search what Lycosa has read. Refusals are problem documents (RFC 9457).",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": root_path or "/"}],
        "paths": paths,
        "components": {
            "schemas": {"Problem": infer_schema(_PROBLEM)},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


@cache
def encode_document(root_path: str) -> bytes:
    """Encodes the same document as JSON, once: a millisecond, which thousands may ask for at once."""
    return encode_json(build_document(root_path))


def infer_schema(example: object) -> Document:
    """Infers the JSON Schema of all values that are made as this example is."""
    match example:
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case float():
            return {"type": "number"}
        case str():
            return {"type": "string"}
        case Mapping():
            properties = {name: infer_schema(value) for name, value in example.items()}
            return {"type": "object", "properties": properties, "required": list(properties)}
        case Sequence():
            kinds = [infer_schema(value) for value in example]
            if len({str(kind) for kind in kinds}) > 1:
                return {"type": "array", "items": {"anyOf": kinds}}
            return {"type": "array", "items": kinds[0]} if kinds else {"type": "array"}
    raise TypeError(f"JSON has no {type(example)}")


def _operation(one: Operation) -> Document:
    answer: dict[str, object] = {"schema": _answer(one)}
    if one.example:
        answer["example"] = one.example
    answers = {
        str(status): {"description": one.description, "content": {one.media_type: answer}}
        for status in one.statuses
    }
    refusals = {str(status): _refusal(status) for status in (*one.errors, 421, 429)}
    described: dict[str, object] = {
        "operationId": one.name,
        "summary": one.description,
        "responses": {**answers, **refusals},
    }
    if one.needs_token:
        described["security"] = [{"token": []}]
    if one.method == "GET":
        return {**described, "parameters": [_parameter(each) for each in one.parameters]}
    return {**described, "requestBody": _body(one)}


def _answer(one: Operation) -> Document:
    """Infers the schema of the answer, in which optional fields may be missing."""
    schema = infer_schema(one.example)
    match schema:
        case {"required": [*names]} if one.optional:
            return {**schema, "required": [name for name in names if name not in one.optional]}
    return schema


def _body(one: Operation) -> Document:
    """Describes the body: the same fields as a form or as JSON."""
    properties = {each.name: {**each.schema, "description": each.description} for each in one.parameters}
    required = [each.name for each in one.parameters if each.required]
    schema = {"type": "object", "properties": properties, "required": required}
    example = {each.name: each.example for each in one.parameters}
    body = {"schema": schema, "example": example}
    return {"required": True, "content": {FORM: body, JSON: body}}


def _parameter(one: Parameter) -> Document:
    return {
        "name": one.name,
        "in": one.place,
        "description": one.description,
        "required": one.required,
        "schema": one.schema,
        "example": one.example,
    }


def _refusal(status: int) -> Document:
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    described = {"description": HTTPStatus(status).phrase, "content": {PROBLEM_TYPE: problem}}
    if status != HTTPStatus.TOO_MANY_REQUESTS:
        return described
    seconds = {"description": "Seconds to wait", "schema": {"type": "integer", "minimum": 1}}
    return {**described, "headers": {"Retry-After": seconds}}
