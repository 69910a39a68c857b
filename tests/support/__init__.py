"""What tests of all areas share."""
