"""What the pytest plugin does once a test asks for it. Imports torch; the plugin itself must not."""
