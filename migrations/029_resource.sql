-- What the tokens of a code or session are for (RFC 8707); null for the REST API. A node of the version before ignores it and
-- would issue tokens of the REST API. So those codes and refresh tokens have a hash that it does not look for: it rejects them as
-- unknown. Its own sign-ins, whatever resource they name, are for the REST API, and /mcp rejects their tokens.
alter table authorization_code add column resource text;
alter table session add column resource text;
