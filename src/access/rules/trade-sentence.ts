import { ownerOf } from './deciding-right.ts'
import type { Tradability } from './tradability.ts'
import type { AccessRight } from './visibility.ts'

export type TradeFacts = Readonly<{
  accountId: string
  assetType: string
  exchangeId: string
  displayHint: string | undefined
  /** The deciding right, if any. */
  right: AccessRight | undefined
  reason: Tradability['NonTradableReason']
  /** Whether the user has rights of their own, which replace the client's. */
  hasOwnRights: boolean
}>

const by = {
  User: 'under your own right',
  Account: 'under a right of this account',
  Client: 'under a right of the client',
}

/** Explains in one sentence whether an instrument can be traded on an account: first the right, then the instrument. */
export function tradeSentence(facts: TradeFacts): string {
  const { right, reason } = facts
  const joint = right?.level === 'Trade' ? 'but' : 'and'
  if (reason === 'None') return `${ofRight(facts)}.`
  if (reason === 'NotOnlineClientTradable') return `${ofRight(facts)}; trading requires a Trade right.`
  return `${ofRight(facts)}, ${joint} ${ofInstrument(facts)}.`
}

function ofRight({ accountId, assetType, exchangeId, right, hasOwnRights }: TradeFacts): string {
  const what = `${assetType} on ${exchangeId}`
  if (right?.level === 'Trade') return `Account ${accountId} may trade ${what} ${by[ownerOf(right)]}`
  if (right) return `Account ${accountId} may only view ${what}, ${by[ownerOf(right)]}`
  return hasOwnRights
    ? `Account ${accountId} has no right to ${what}: only your own rights apply, and none covers it`
    : `Account ${accountId} has no right to ${what}`
}

function ofInstrument({ assetType, displayHint, reason }: TradeFacts): string {
  if (reason === 'ExpiredInstrument') return 'the instrument has expired'
  if (reason === 'ReduceOnlyInstrument') return 'positions in the instrument can only be reduced'
  if (assetType === 'StockIndex') return 'an index cannot be traded'
  if (displayHint === 'Continuous') return 'a continuous future cannot be traded; trade its dated futures'
  return 'the instrument is not open for trading'
}
