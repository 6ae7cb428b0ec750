"""Detects URLs of files that were never meant to be public, such as keys and backups (requirement 283).

Such files are not fetched; the report names them. A page about them has a name of its own, /sql.html.
"""

import re

NAMES = frozenset(
    " ".join(
        (
            ".env .htpasswd .netrc .pgpass .npmrc .pypirc .my.cnf .git-credentials .ds_store",  # settings
            ".bash_history .mysql_history .psql_history",  # what somebody typed
            "id_rsa id_dsa id_ecdsa id_ed25519",  # keys
        )
    ).split()
)
SUFFIXES = frozenset(
    " ".join(
        (
            "jks kdb kdbx key keystore ovpn p12 pem pfx ppk",  # keys
            "dump sql",  # databases
            "backup bak old orig save swp",  # what editors and people leave beside a file
        )
    ).split()
)
_FOLDER = re.compile(
    r"/\.(?:git|svn|hg|bzr|ssh|aws|gnupg|kube|docker)(?:/|$)"  # of version control, of programs' settings
    r"|/\.env\.[\w-]+$|/etc/(?:passwd|shadow)$"
)
_PROGRAM_LEFT = re.compile(r"wp-config\.php.+|.+\.\w{1,5}~", re.IGNORECASE)  # shown where it should run


def is_sensitive(path: str, name: str, suffix: str) -> bool:
    """Tells whether a path is sensitive: `name` is behind its last slash, `suffix` behind its last dot.

    Both in lower case, '' where there is none. The path may be a URL without its query.
    """
    if name in NAMES or suffix in SUFFIXES:
        return True
    if ("/." in path or "/etc/" in path) and _FOLDER.search(path):
        return True
    return (name.endswith("~") or name.startswith("wp-config")) and bool(_PROGRAM_LEFT.fullmatch(name))
