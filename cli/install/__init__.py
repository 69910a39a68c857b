"""Install the journal as a plugin of Claude Code, and remove it again.

The functions return data, which `cli.setup` prints. Invariant: uninstall undoes what setup
wrote, and never changes the journal itself.
"""
