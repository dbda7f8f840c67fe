"""The service while things break: kills, full disks, lost databases, set-back clocks."""
