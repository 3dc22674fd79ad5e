"""The Scrapy integration, the only package that imports Scrapy: `ADDONS = {"dupgroups.Addon": 300}`."""

from dupgroups.errors import require_extra

with require_extra("scrapy", "The Scrapy pipeline", "scrapy", "itemadapter", "twisted"):
    from dupgroups.scrapy.pipeline import STATES, Addon, DupGroupsPipeline

__all__ = ["STATES", "Addon", "DupGroupsPipeline"]
