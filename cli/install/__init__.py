"""Install the journal as a plugin of Claude Code, and remove it again.

Plain functions return data, which the application prints. Invariant: uninstall undoes what setup
wrote, and never touches the journal itself.
"""
