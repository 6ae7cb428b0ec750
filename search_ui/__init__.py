"""The page: what a person types, or a program asks, to an answer in the browser or in JSON.

    request -> guard (headers) -> asked (form fields to one value) -> Searcher
            -> search_pages (HTML) or api (JSON); what goes wrong -> problems

Every value is shown through one template environment, which escapes (`render`).
"""
