"""The command line: commands, their options, what they print, and the exit statuses."""
