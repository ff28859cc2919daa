/** The kinds that have a history. */
export const historyKinds = [
  ...(['calendar', 'exchange', 'instrument', 'optionRoot'] as const),
  ...(['client', 'account', 'user', 'accessRight', 'position', 'event'] as const),
] as const
export type HistoryKind = (typeof historyKinds)[number]
