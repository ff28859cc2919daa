-- A restore compares the hash of each present row with those of the snapshot, instead of two long texts. Rows that a node of the
-- version before saved have none: it is computed when they are restored.
alter table snapshot_row add column hash bytea;
