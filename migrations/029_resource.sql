-- What the tokens of a code or session are for (RFC 8707); null for the REST API. A node of the version before ignores it: a
-- refresh there returns a token of the REST API, which /mcp rejects.
alter table authorization_code add column resource text;
alter table session add column resource text;
