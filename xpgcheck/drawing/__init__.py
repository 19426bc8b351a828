"""Pictures of decision graphs: the instance's path, an explanation and what it leaves open, in SVG, PNG and DOT."""
