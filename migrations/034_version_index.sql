-- Replaced by the indexes of migration 033, also for the queries of older nodes. A migration of its own: dropping an index waits for
-- every reader, and what builds indexes is not to be repeated until there is none.
drop index record_version_record;
