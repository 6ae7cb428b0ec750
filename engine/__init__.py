"""The engine of Lycosa: what happens to a URL from seed to hit, one package per step.

    seed -> frontier -> robots gate -> fetch -> META gate -> read -> fingerprint
         -> store -> link graph -> index -> query -> page

Two stores: the crawl database (`engine.store`) is the truth, the index
(`engine.index`) a view of it that can be deleted and made again at any time.
"""

VERSION = "0.1.0"
