"""The properties, a module for each part of the paper; :mod:`xpgcheck.properties.catalogue` lists them."""
