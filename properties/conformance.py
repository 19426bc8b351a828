"""Every property of one subject, without a test file of one's own::

    pytest --pyargs xpgcheck.properties.conformance --xpgcheck-subject mypackage.mymodule:MyExplainer

See :mod:`xpgcheck.properties.pytest_plugin` for the options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xpgcheck.properties.pytest_plugin import XpgProperty


def test_property(xpg_property: XpgProperty, xpgcheck_subject: object) -> None:
    """The property holds of the subject that ``--xpgcheck-subject`` names."""
    xpg_property.check(xpgcheck_subject)
