"""Serves the search page: a request in, an answer in the browser or in JSON out.

    server (protocol, limits, allowed hosts) -> app (routes) -> search_request (form fields to one value)
            -> pages (HTML) or api (JSON, RSS) -> rendering

Every value is shown through one template environment, which escapes (`rendering.responses`).
"""
