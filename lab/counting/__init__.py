"""Random schedules of calls over a store that fails, recounted: ``make counting``."""
