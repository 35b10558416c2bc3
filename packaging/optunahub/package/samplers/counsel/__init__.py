from counsel.integrations.optuna import CounselSampler

__all__ = ["CounselSampler"]
