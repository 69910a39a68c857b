"""Laws that hold across modules, for any history."""
