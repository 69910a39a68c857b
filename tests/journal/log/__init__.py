"""Tests of `journal.log`, including killed writers, damaged files, full disks and races."""
