-- Identifiers of the security besides its ISIN, each with its type: CUSIP 037833100.
alter table instrument add column identifiers text[];
create index instrument_identifiers on instrument using gin (identifiers) where identifiers is not null;
