"""Python imports this at its start where this folder is in PYTHONPATH: so do the commands that tests run."""

from tests.on_postgresql.folders import use_server

use_server()
