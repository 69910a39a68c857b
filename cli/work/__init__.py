"""Commands about work in progress: dev cycle, skill progress, units, save points, guards."""
