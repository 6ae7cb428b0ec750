"""Serves the search page: HTTP request -> HTML or JSON.

    server (protocol, limits, allowed hosts) -> app (routes) -> search_request (form fields to one value)
            -> pages (HTML) or api (JSON, RSS) -> rendering

Every value is shown through one template environment, which escapes (`rendering.responses`).
"""
