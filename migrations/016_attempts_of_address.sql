-- Wrong attempts are also limited by address, whatever names they are for.
create index failed_attempt_address on failed_attempt (kind, address, made_at);
