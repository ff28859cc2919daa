import { tradability } from '../../../access/rules/tradability.ts'
import type { AccessView } from '../../../access/rules/visibility.ts'
import type { TradingStatus } from '../../../core/trading-status.ts'
import { displayHints } from '../../api/fields/enums.ts'
import type { FieldGroup } from '../../rules/field-groups.ts'
import type { ExchangeFacts } from '../exchanges.ts'
import { withVisibleRelations } from '../search/visible.ts'
import { hasExpired } from '../search/walk-rows.ts'
import { bucketFlags, typeNames } from '../segment.ts'
import type { BucketRights, SegmentReader } from '../segment-reader.ts'
import type { Snapshot } from '../snapshot.ts'
import type { JsonBuffer } from './json-buffer.ts'

export type Groups = ReadonlySet<FieldGroup>

const none: readonly string[] = []
const accountTexts = new WeakMap<readonly string[], string>()

/** TradableOn is sent also when it is empty (contract §2). */
function tradableOn(accountIds: readonly string[]): string {
  const known = accountTexts.get(accountIds)
  if (known !== undefined) return known
  const text = `"TradableOn":${JSON.stringify(accountIds)}`
  accountTexts.set(accountIds, text)
  return text
}

/** Writes rows of a snapshot as one caller sees them at one moment. */
export class RowWriter {
  readonly #snapshot: Snapshot
  readonly #view: AccessView
  readonly #now: Temporal.Instant
  #known: { reader: SegmentReader; rights: BucketRights } | undefined

  constructor(snapshot: Snapshot, view: AccessView, now: Temporal.Instant) {
    this.#snapshot = snapshot
    this.#view = view
    this.#now = now
  }

  /** An entry of search (contract §6). */
  summary(out: JsonBuffer, reader: SegmentReader, row: number, isKeywordMatch: boolean): void {
    const { segment } = reader
    const doc = segment.rowDocs[row] as number
    out
      .ascii('{"Identifier":')
      .ascii(`${segment.docIds[doc]},`)
      .members(segment.text, segment.templateSummary, segment.rowTemplates[row] as number)
      .members(segment.text, segment.rowCommon, row)
      .ascii(isKeywordMatch ? '"IsKeywordMatch":true,' : '')
    this.#closeWith(out, this.#tradableAs(reader, doc))
  }

  /** Details of an instrument in one of its asset types (§2.6). */
  details(out: JsonBuffer, reader: SegmentReader, row: number, groups: Groups): void {
    const { segment } = reader
    const doc = segment.rowDocs[row] as number
    out.ascii(`{"Uic":${segment.docIds[doc]},`).members(segment.text, segment.rowCommon, row)
    this.own(out, reader, row)
    this.shared(out, reader, row, groups)
    this.standing(out, reader, row, this.#isExpired(reader, row))
    this.#closeWith(out, this.#tradableAs(reader, doc))
  }

  /** Members that are the row's own, without relations to what the caller may not see. */
  own(out: JsonBuffer, reader: SegmentReader, row: number): void {
    const { text, rowOwn } = reader.segment
    const related = reader.relationsOf(row)
    if (related === undefined) out.members(text, rowOwn, row)
    else out.text(withVisibleRelations(this.#snapshot, this.#view, related)).ascii(',')
  }

  /** What a row, or a contract of a root's row, has from its template, its exchange and the groups asked for. */
  shared(out: JsonBuffer, reader: SegmentReader, row: number, groups: Groups): void {
    const { segment } = reader
    const template = segment.rowTemplates[row] as number
    out.members(segment.text, segment.templateDetails, template)
    if (groups.has('OrderSetting')) out.members(segment.text, segment.templateOrderSetting, template)
    if (groups.has('SupportedOrderTypeSettings')) out.members(segment.text, segment.templateOrderTypes, template)
    if (groups.has('TradingSessions')) {
      const json = reader.scheduleOf(segment.rowDocs[row] as number, row, this.#now)
      out.ascii('"TradingSessions":').bytes(json).ascii(',')
    }
    out.bytes(reader.exchangeOf(row).summary).ascii(',')
  }

  /** The caller's view of it; tells whether they may trade it. */
  standing(
    out: JsonBuffer,
    reader: SegmentReader,
    row: number,
    isExpired: boolean,
    status = statusOf(reader, row),
  ): boolean {
    const { segment } = reader
    const bucket = reader.bucketOf(row)
    const AssetType = typeNames[segment.bucketTypes[bucket] as number] as string
    const exchangeId = segment.exchangeIds[segment.bucketExchanges[bucket] as number] as string
    const DisplayHint = displayHints[segment.bucketHints[bucket] as number]
    const accounts = this.#view.tradingAccounts(AssetType, exchangeId)
    const facts = { AssetType, DisplayHint, TradingStatus: status, isExpired }
    const { IsTradable, NonTradableReason } = tradability(facts, accounts)
    out.ascii(`"IsTradable":${IsTradable},"NonTradableReason":"${NonTradableReason}",`)
    out.text(tradableOn(IsTradable ? accounts : none)).ascii(',')
    return IsTradable
  }

  /** The same for a contract of a root, which has no other asset type than the root's. */
  contractStanding(
    out: JsonBuffer,
    reader: SegmentReader,
    row: number,
    isExpired: boolean,
    status: TradingStatus,
  ): void {
    // A root that is not traded has no contract that is.
    const rootStatus = statusOf(reader, row)
    const isTradable = this.standing(out, reader, row, isExpired, rootStatus === 'Tradable' ? status : rootStatus)
    const type = typeNames[reader.segment.bucketTypes[reader.bucketOf(row)] as number] as string
    this.#closeWith(out, isTradable ? [type] : none)
  }

  /** Ends an object with the asset types in which the caller may trade; without any it is left out (contract §2). */
  #closeWith(out: JsonBuffer, tradableAs: readonly string[]): void {
    if (tradableAs.length > 0) out.ascii(`"TradableAs":["${tradableAs.join('","')}"]}`)
    else out.close()
  }

  /** The main type first, the others by name. */
  #tradableAs(reader: SegmentReader, doc: number): string[] {
    const { segment } = reader
    const { tradable } = this.#rightsIn(reader)
    const names: string[] = []
    for (let row = segment.docRows[doc] as number; row < (segment.docRows[doc + 1] as number); row++) {
      const bucket = reader.bucketOf(row)
      if (!tradable[bucket] || this.#isExpired(reader, row)) continue
      const name = typeNames[segment.bucketTypes[bucket] as number] as string
      if ((segment.bucketFlags[bucket] as number) & bucketFlags.isMain) names.unshift(name)
      else names.push(name)
    }
    return names
  }

  #isExpired(reader: SegmentReader, row: number): boolean {
    if (reader.segment.rowExpiries[row] === 0) return false
    return hasExpired(reader.segment, row, this.todayAt(reader.exchangeOf(row)))
  }

  /** Rows of a page are nearly always of one reader. */
  #rightsIn(reader: SegmentReader): BucketRights {
    if (this.#known?.reader !== reader) this.#known = { reader, rights: reader.rightsOf(this.#view) }
    return this.#known.rights
  }

  todayAt(exchange: ExchangeFacts): number {
    return this.#snapshot.todayAt(exchange, this.#now)
  }

  isVisible(reader: SegmentReader, row: number): boolean {
    return this.#rightsIn(reader).visible[reader.bucketOf(row)] === 1
  }
}

/** As far as it decides: what is neither tradable nor to be reduced is not tradable. */
function statusOf(reader: SegmentReader, row: number): TradingStatus {
  const flags = reader.segment.bucketFlags[reader.bucketOf(row)] as number
  if (flags & bucketFlags.isReduceOnly) return 'ReduceOnly'
  return flags & bucketFlags.isTradable ? 'Tradable' : 'NonTradable'
}
