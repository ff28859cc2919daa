/** Fields sent only on request; a group is named after the field it adds (§6.2). */
export const fieldGroups = ['OrderSetting', 'SupportedOrderTypeSettings', 'TradingSessions', 'MarketData'] as const
export type FieldGroup = (typeof fieldGroups)[number]

const byLowerCase = new Map(fieldGroups.map((group) => [group.toLowerCase(), group]))

/** The groups in any case. Unknown ones are ignored, so that newer clients work. */
export function parseFieldGroups(texts: readonly string[] = []): ReadonlySet<FieldGroup> {
  const known = texts.map((text) => byLowerCase.get(text.toLowerCase()))
  return new Set(known.filter((group) => group !== undefined))
}
