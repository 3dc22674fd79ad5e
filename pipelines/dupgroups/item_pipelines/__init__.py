"""The coat for Scrapy, the only room that imports it: `ADDONS = {"dupgroups.Addon": 300}`."""

from dupgroups.item_pipelines.pipeline import STATES, Addon, DupGroupsPipeline

__all__ = ["STATES", "Addon", "DupGroupsPipeline"]
