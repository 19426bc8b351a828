"""Sphinx's settings of the site, which ``python tools/build_site.py`` builds."""

from xpgcheck.version import __version__

project = "xpgcheck"
author = "The xpgcheck developers"
release = version = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
html_theme = "furo"
html_title = "xpgcheck"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
# Outputs of the notebook are those that are stored; a test compares them with what its cells print.
nb_execution_mode = "off"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_numpy_docstring = True
# Blocks of "jsonl", and JSON that is cut short, are shown without colours.
suppress_warnings = ["misc.highlighting_failure"]
exclude_patterns = ["examples/*"]
