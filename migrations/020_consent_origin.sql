-- The loopback origin that a user last allowed an app without a secret to return to: any program on the machine can listen on
-- another port. Null: none yet.
alter table consent add column loopback_origin text;
