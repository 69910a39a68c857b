"""Tests of `journal.log`: also under killed writers, damage, full disks and races."""
