/** What the interface's public description has and refdesk does not, on purpose. `what` is the beginning of the
 *  difference's line: an operation, or an operation with one of its fields. */
export const accepted: readonly Readonly<{ what: string; why: string }>[] = [
  { what: 'GET /ca/v2/holdings', why: 'an event has its holdings (§7.5)' },
  { what: 'PUT /ca/v2/elections', why: 'elections are imported, not made (§12)' },
  { what: 'GET /ca/v2/standinginstructions', why: 'there are no standing instructions (§12)' },
  { what: 'POST /ca/v2/standinginstructions', why: 'there are no standing instructions (§12)' },
  { what: 'DELETE /ca/v2/standinginstructions', why: 'there are no standing instructions (§12)' },
  { what: 'GET /developer/apps answer Data[].Brandings', why: 'Branding everywhere, as in a single app (§8.1)' },
  { what: 'POST /developer/apps answer Brandings', why: 'Branding everywhere, as in a single app (§8.1)' },
  { what: 'GET /developer/featureflags', why: 'apps have no feature flags' },
  { what: 'PATCH /port/', why: 'identities are imported, not changed by their users' },
  { what: 'PUT /port/', why: 'identities are imported, not changed by their users' },
  { what: 'GET /root/v1/user answer ClientId is', why: 'imported ids need not be numbers' },
]
