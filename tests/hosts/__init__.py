"""Ten hosts on one machine, with faults between and on them: `make hosts`."""
