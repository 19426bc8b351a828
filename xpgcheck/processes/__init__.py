"""Work in processes of our own: each with pipes that nobody else has, ended by whoever started it, and with it."""

from xpgcheck.processes.pool import pooled as pooled
from xpgcheck.processes.pool import pooled_in_order as pooled_in_order
