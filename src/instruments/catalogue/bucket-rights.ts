import type { AccessView } from '../../access/rules/visibility.ts'
import { bucketFlags, type Segment, typeNames } from './segment.ts'
import type { RowEnds } from './write/row-pieces.ts'

/** By bucket: 1 if the caller may see its rows, or trade them. */
export type BucketRights = Readonly<{
  visible: Uint8Array
  tradable: Uint8Array
  unfiltered: Unfiltered
  ends: RowEnds
}>
/** What a filter lets through. */
export type AllowedBuckets = Readonly<{
  /** By bucket: 1 if its rows pass. And how many rows those are. */
  allowed: Uint8Array
  allowedRows: number
  /** A bitmap of the docs whose row of the main asset type is in an allowed bucket. */
  mainDocs?: Uint32Array | undefined
}>
/** What a search without filters allows, once it is known: with what cannot be traded, and without. */
type Unfiltered = { all?: AllowedBuckets; tradable?: AllowedBuckets }

export function bucketRights(segment: Segment, view: AccessView): BucketRights {
  const { bucketTypes, bucketExchanges, exchangeIds, bucketFlags: flags } = segment
  const [visible, tradable] = [new Uint8Array(bucketTypes.length), new Uint8Array(bucketTypes.length)]
  for (let bucket = 0; bucket < bucketTypes.length; bucket++) {
    const type = typeNames[bucketTypes[bucket] as number] as string
    const exchangeId = exchangeIds[bucketExchanges[bucket] as number] as string
    visible[bucket] = view.isVisible(type, exchangeId) ? 1 : 0
    const isTradable = (flags[bucket] as number) & bucketFlags.isTradable
    tradable[bucket] = isTradable && view.tradingAccounts(type, exchangeId).length > 0 ? 1 : 0
  }
  return { visible, tradable, unfiltered: {}, ends: { matches: [], others: [] } }
}
