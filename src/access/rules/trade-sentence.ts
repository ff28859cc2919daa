import { ownerOf } from './deciding-right.ts'
import type { Tradability } from './tradability.ts'
import type { AccessRight } from './visibility.ts'

export type TradeFacts = Readonly<{
  accountId: string
  assetType: string
  exchangeId: string
  displayHint: string | undefined
  /** The one that decides, if there is one. */
  right: AccessRight | undefined
  reason: Tradability['NonTradableReason']
  /** Whether the user has rights of their own, beside which the client's count for nothing. */
  hasOwnRights: boolean
}>

const by = { User: 'by a right of your own', Account: 'by a right of this account', Client: 'by a right of the client' }

/** Why an instrument can or cannot be traded on an account, in one sentence: first the right, then the instrument. */
export function tradeSentence(facts: TradeFacts): string {
  const { right, reason } = facts
  const joint = right?.level === 'Trade' ? 'but' : 'and'
  if (reason === 'None') return `${ofRight(facts)}.`
  if (reason === 'NotOnlineClientTradable') return `${ofRight(facts)}; to trade it takes a Trade right.`
  return `${ofRight(facts)}, ${joint} ${ofInstrument(facts)}.`
}

function ofRight({ accountId, assetType, exchangeId, right, hasOwnRights }: TradeFacts): string {
  const what = `${assetType} on ${exchangeId}`
  if (right?.level === 'Trade') return `Account ${accountId} may trade ${what} ${by[ownerOf(right)]}`
  if (right) return `Account ${accountId} may only view ${what}, ${by[ownerOf(right)]}`
  return hasOwnRights
    ? `Account ${accountId} has no right to ${what}, since only your own rights count and none covers it`
    : `Account ${accountId} has no right to ${what}`
}

function ofInstrument({ assetType, displayHint, reason }: TradeFacts): string {
  if (reason === 'ExpiredInstrument') return 'the instrument has expired'
  if (reason === 'ReduceOnlyInstrument') return 'positions in the instrument can only be reduced'
  if (assetType === 'StockIndex') return 'an index is a figure that nobody can trade'
  if (displayHint === 'Continuous')
    return 'a continuous future only stands for its futures, which are traded themselves'
  return 'the instrument is not open for trading'
}
