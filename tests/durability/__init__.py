"""Durability: the log under killed writers, damage, full disks and races."""
