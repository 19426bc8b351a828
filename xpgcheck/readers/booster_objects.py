"""Fitted objects of XGBoost and LightGBM: stored in memory by their own methods, and read as files of theirs are."""

from __future__ import annotations

import warnings
from typing import Any

from xpgcheck.errors import InputError, ModelNotice, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.other_names import OtherNames


def is_booster(model: object) -> bool:
    """Tell whether *model* is an object of XGBoost or LightGBM.  Neither is imported."""
    return type(model).__module__.partition(".")[0] in ("xgboost", "lightgbm")


def from_booster(model: Any, *, missing: bool | None = None, name: str = "model") -> DecisionGraph | Ensemble:
    """Return the classifier that the fitted *model* is: an ``XGBClassifier``, an ``LGBMClassifier`` or a ``Booster``.

    Classes are called as ``classes_`` has them.  *missing* is as the readers take it.  Raises ``InputError`` where *model*
    is not fitted, and what :func:`xpgcheck.readers.xgboost_model.parse_xgboost` and
    :func:`xpgcheck.readers.lightgbm_model.parse_lightgbm` raise.
    """
    kind = type(model).__name__
    options: dict[str, Any] = {} if missing is None else {"missing": missing}
    if type(model).__module__.startswith("xgboost"):
        from xpgcheck.readers.xgboost_model import parse_xgboost as parse

        _warn_of_marks(model)
    else:
        from xpgcheck.readers.lightgbm_model import parse_lightgbm as parse
    try:
        data = _stored(model)
        classes = getattr(model, "classes_", None)
    except XpgcheckError:
        raise
    except Exception as error:
        # Each library has errors of its own for what is not fitted.
        problem = f"a model of type {kind} cannot be stored: {shown(str(error))}"
        raise InputError(problem, mend="call its 'fit' first, and pass the fitted model") from None
    if classes is not None:
        options["names"] = OtherNames(classes=[str(label) for label in classes])
    return parse(data, name, **options)


def _stored(model: Any) -> bytes:
    """Return *model* as its library stores it."""
    if type(model).__module__.startswith("xgboost"):
        return bytes((model.get_booster() if hasattr(model, "get_booster") else model).save_raw("json"))
    booster = model if hasattr(model, "model_to_string") else model.booster_
    return bytes(booster.model_to_string().encode())


def _warn_of_marks(model: Any) -> None:
    """Warn where another mark than NaN stands for a missing value."""
    mark = getattr(model, "missing", None)
    if isinstance(mark, (int, float)) and mark == mark:
        problem = f"its mark for missing values is {mark}: in instances they are NaN"
        warnings.warn(ModelNotice(f"model of type {type(model).__name__}: {problem}"), stacklevel=2)
