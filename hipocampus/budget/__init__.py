"""Budgets for memory files that people and agents keep by hand: tiers, snapshots, restore."""
