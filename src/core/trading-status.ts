import type { Static } from 'typebox'
import { named, oneOf } from './schema.ts'

export const tradingStatuses = ['NonTradable', 'NotDefined', 'ReduceOnly', 'Tradable'] as const

export const TradingStatus = named(
  'TradingStatus',
  oneOf(...tradingStatuses),
  'Whether the instrument is open for trading. NotDefined counts as tradable; ReduceOnly allows only closing positions.',
)
export type TradingStatus = Static<typeof TradingStatus>
