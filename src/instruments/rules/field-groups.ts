/** What is sent in details only when it is asked for; a group has the name of the member that it adds (contract §6). */
export const fieldGroups = ['OrderSetting', 'SupportedOrderTypeSettings', 'TradingSessions', 'MarketData'] as const
export type FieldGroup = (typeof fieldGroups)[number]

const byLowerCase = new Map(fieldGroups.map((group) => [group.toLowerCase(), group]))

/** The groups that are meant, in any spelling; what we do not know is ignored, so that newer callers are served too. */
export function parseFieldGroups(texts: readonly string[] = []): ReadonlySet<FieldGroup> {
  const known = texts.map((text) => byLowerCase.get(text.trim().toLowerCase()))
  return new Set(known.filter((group) => group !== undefined))
}
