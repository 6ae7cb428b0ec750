"""Lets an operator's own code take part in a crawl: hooks of spiders, pipelines, feeds, within the gates."""

from engine.plugins.contracts import HookContracts
from engine.plugins.required_settings import require_settings
from engine.plugins.spider_hooks import SpiderHooks

__all__ = ["HookContracts", "SpiderHooks", "require_settings"]
