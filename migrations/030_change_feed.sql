-- Nodes learn of every change of the history at once, so that readers of changes need not ask.
create function announce_history() returns trigger language plpgsql as $$
begin
  insert into change (topic, key) values ('history', '');
  return null;
end $$;
-- Older nodes: what they change fires it too, and they ignore the topic.
create trigger history_run_announced after insert on history_run for each statement execute function announce_history();

-- A cursor names the run that its number belongs to.
create index history_run_after_seq on history_run (after_seq);
