import { type Tradability, tradability } from '../../../access/rules/tradability.ts'
import type { TradingStatus } from '../../../core/trading-status.ts'
import type { FieldGroup } from '../../rules/field-groups.ts'
import type { BucketRights } from '../bucket-rights.ts'
import type { ExchangeFacts } from '../exchanges.ts'
import { factsPerRow, rowFact, rowFlags } from '../facts/row-facts.ts'
import { withVisibleRelations } from '../search/visible.ts'
import { bucketFlags, hasExpired, typeNames } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'
import type { JsonBuffer } from './json-buffer.ts'

export type Groups = ReadonlySet<FieldGroup>

const none: readonly string[] = []
const mainFirst = [bucketFlags.isMain, 0]

/** What every row has, as bytes. */
const pieces = {
  identifier: Buffer.from('{"Identifier":'),
  uic: Buffer.from('{"Uic":'),
  keywordMatch: Buffer.from('"IsKeywordMatch":true,'),
  tradableAs: Buffer.from('"TradableAs":['),
  endOfList: Buffer.from(']}'),
}
/** By asset type, with a trailing comma. */
const typePieces = typeNames.map((name) => Buffer.from(`"${name}",`))

const reasonPiece = (reason: Tradability['NonTradableReason']): Buffer =>
  Buffer.from(`"IsTradable":${reason === 'None'},"NonTradableReason":"${reason}",`)
const reasonPieces = {
  None: reasonPiece('None'),
  ExpiredInstrument: reasonPiece('ExpiredInstrument'),
  ReduceOnlyInstrument: reasonPiece('ReduceOnlyInstrument'),
  NotOnlineClientTradable: reasonPiece('NotOnlineClientTradable'),
  OtherReason: reasonPiece('OtherReason'),
} satisfies Record<Tradability['NonTradableReason'], Buffer>

function closeTradableAs(out: JsonBuffer, isAny: boolean): void {
  if (isAny) out.dropComma().bytes(pieces.endOfList)
  else out.close()
}

const isSent = (group: FieldGroup, groups: Groups, names: ReadonlySet<string> | undefined): boolean =>
  groups.has(group) && (names === undefined || names.has(group))

const accountTexts = new WeakMap<readonly string[], Buffer>()

/** TradableOn is sent even if it is empty (§2.2). */
function tradableOn(accountIds: readonly string[]): Buffer {
  return accountTexts.getOrInsertComputed(accountIds, () => Buffer.from(`"TradableOn":${JSON.stringify(accountIds)},`))
}

/** Writes rows of a snapshot as one caller sees them at one moment. */
export class RowWriter {
  readonly #view: RequestView
  #rights: { reader: SegmentReader; rights: BucketRights } | undefined
  /** Until when what was written stays the same, within the day, in milliseconds since 1970. */
  until = Number.POSITIVE_INFINITY

  constructor(view: RequestView) {
    this.#view = view
  }

  /** Writes a search result (§6.1). */
  summary(out: JsonBuffer, reader: SegmentReader, row: number, isKeywordMatch: boolean): void {
    const { text, rowFacts } = reader.segment
    const at = row * factsPerRow
    const template = rowFacts[at + rowFact.template] as number
    const names = this.#view.limitsMembers ? reader.pieces.searchMembersOf(template) : undefined
    out
      .bytes(pieces.identifier)
      .number(rowFacts[at + rowFact.id] as number)
      .bytes(names ? reader.pieces.limitedSummaryOf(template, names) : reader.pieces.summaryOf(template))
    const start = out.length
    out.membersAt(text, rowFacts[at + rowFact.common] as number, rowFacts[at + rowFact.commonLength] as number)
    if (names) out.keepMembers(start, names)
    this.#closeDoc(out, reader, row, isKeywordMatch)
  }

  /** Writes the details of an instrument in one asset type (§6.2). */
  details(out: JsonBuffer, reader: SegmentReader, row: number, groups: Groups): void {
    const { text, rowFacts } = reader.segment
    const at = row * factsPerRow
    const template = rowFacts[at + rowFact.template] as number
    const names = this.#view.limitsMembers ? reader.pieces.detailsMembersOf(template) : undefined
    out
      .bytes(pieces.uic)
      .number(rowFacts[at + rowFact.id] as number)
      .comma()
    const start = out.length
    out.membersAt(text, rowFacts[at + rowFact.common] as number, rowFacts[at + rowFact.commonLength] as number)
    this.ownFields(out, reader, row)
    if ((rowFacts[at + rowFact.flags] as number) & rowFlags.hasOwnTimes)
      out.ascii(reader.valueDatesOf(row, this.todayAt(reader.exchangeOf(row))))
    if (names) out.keepMembers(start, names)
    this.sharedFields(out, reader, row, groups, names)
    this.tradabilityFields(out, reader, row, this.#isExpired(reader, row))
    this.#closeDoc(out, reader, row)
  }

  /** Writes the row's own fields, without relations to instruments that the caller may not see. */
  ownFields(out: JsonBuffer, reader: SegmentReader, row: number): void {
    const { text, rowOwn } = reader.segment
    const related = reader.relationsOf(row)
    if (related === undefined) out.members(text, rowOwn, row)
    else out.text(withVisibleRelations(this.#view, related)).ascii(',')
  }

  /** Writes the fields of the template, the exchange and the requested field groups. */
  sharedFields(out: JsonBuffer, reader: SegmentReader, row: number, groups: Groups, names?: ReadonlySet<string>): void {
    const { segment } = reader
    const template = segment.rowTemplates[row] as number
    if (names) out.bytes(reader.pieces.limitedDetailsOf(template, names))
    else out.members(segment.text, segment.templateDetails, template)
    if (groups.size > 0) this.#requestedFields(out, reader, row, groups, names)
    out.bytes(reader.exchangeOf(row).summary).comma()
  }

  #requestedFields(out: JsonBuffer, reader: SegmentReader, row: number, groups: Groups, names?: ReadonlySet<string>) {
    const { segment } = reader
    const template = segment.rowTemplates[row] as number
    if (isSent('OrderSetting', groups, names)) out.members(segment.text, segment.templateOrderSetting, template)
    if (isSent('SupportedOrderTypeSettings', groups, names))
      out.members(segment.text, segment.templateOrderTypes, template)
    if (groups.has('TradingSessions')) {
      const { value, until } = reader.scheduleOf(row, this.#view.now)
      out.ascii('"TradingSessions":').bytes(value).ascii(',')
      this.until = Math.min(this.until, until)
    }
  }

  /** Writes whether and on which accounts the caller may trade the row; returns whether they may. */
  tradabilityFields(
    out: JsonBuffer,
    reader: SegmentReader,
    row: number,
    isExpired: boolean,
    TradingStatus = statusOf(reader, row),
  ): boolean {
    const kind = reader.kindOf(row)
    const accounts = this.#view.access.tradingAccounts(kind.AssetType, reader.exchangeOf(row).record.ExchangeId)
    const { AssetType, DisplayHint } = kind
    const { IsTradable, NonTradableReason } = tradability(
      { AssetType, DisplayHint, TradingStatus, isExpired },
      accounts,
    )
    out.bytes(reasonPieces[NonTradableReason]).bytes(tradableOn(IsTradable ? accounts : none))
    return IsTradable
  }

  /** Ends the details of a contract. If its root is not tradable, neither is the contract. */
  closeContract(out: JsonBuffer, reader: SegmentReader, row: number, isExpired: boolean, status: TradingStatus): void {
    const rootStatus = statusOf(reader, row)
    const effective = rootStatus === 'Tradable' ? status : rootStatus
    const isTradable = this.tradabilityFields(out, reader, row, isExpired, effective)
    const type = reader.segment.bucketTypes[reader.bucketOf(row)] as number
    if (isTradable) out.bytes(pieces.tradableAs).bytes(typePieces[type] as Buffer)
    closeTradableAs(out, isTradable)
  }

  /** Ends an object with IsKeywordMatch and TradableAs, which is omitted if empty (§2.2): the main asset type first, the others by
   *  name. */
  #closeDoc(out: JsonBuffer, reader: SegmentReader, row: number, isKeywordMatch = false): void {
    const { rowFacts } = reader.segment
    const at = row * factsPerRow
    if ((rowFacts[at + rowFact.flags] as number) & rowFlags.expires) {
      if (isKeywordMatch) out.bytes(pieces.keywordMatch)
      this.#closeExpiring(out, reader, row)
      return
    }
    const rights = this.#rightsIn(reader)
    const list = rowFacts[at + rowFact.bucketList] as number
    const end = this.#view.limitsTradableAs
      ? reader.pieces.limitedEndOf(rights, list, isKeywordMatch, reader.bucketOf(row))
      : reader.pieces.endOf(rights, list, isKeywordMatch)
    if (end.length > 0) out.bytes(end)
    else out.close()
  }

  /** The same for a doc of which some rows expire. */
  #closeExpiring(out: JsonBuffer, reader: SegmentReader, of: number): void {
    const { rowDocs, docRows, bucketTypes, bucketFlags: flags } = reader.segment
    const doc = rowDocs[of] as number
    const { tradable } = this.#rightsIn(reader)
    const [first, end] = [docRows[doc] as number, docRows[doc + 1] as number]
    let isAny = false
    for (const isMain of mainFirst)
      for (let row = first; row < end; row++) {
        const bucket = reader.bucketOf(row)
        if (!tradable[bucket] || ((flags[bucket] as number) & bucketFlags.isMain) !== isMain) continue
        if (this.#isExpired(reader, row)) continue
        if (this.#view.limitsTradableAs && !reader.pieces.isTradableAs(reader.bucketOf(of), bucket)) continue
        if (!isAny) out.bytes(pieces.tradableAs)
        isAny = true
        out.bytes(typePieces[bucketTypes[bucket] as number] as Buffer)
      }
    closeTradableAs(out, isAny)
  }

  #isExpired(reader: SegmentReader, row: number): boolean {
    if (reader.segment.rowExpiries[row] === 0) return false
    return hasExpired(reader.segment, row, this.todayAt(reader.exchangeOf(row)))
  }

  /** The rows of a page are nearly always in one segment. */
  #rightsIn(reader: SegmentReader): BucketRights {
    if (this.#rights?.reader !== reader) this.#rights = { reader, rights: reader.rightsOf(this.#view.access) }
    return this.#rights.rights
  }

  todayAt(exchange: ExchangeFacts): number {
    return this.#view.snapshot.todayAt(exchange, this.#view.now)
  }

  isVisible(reader: SegmentReader, row: number): boolean {
    return this.#rightsIn(reader).visible[reader.bucketOf(row)] === 1
  }
}

/** Enough of the status to decide: anything but tradable or reduce-only is NonTradable. */
function statusOf(reader: SegmentReader, row: number): TradingStatus {
  const flags = reader.segment.bucketFlags[reader.bucketOf(row)] as number
  if (flags & bucketFlags.isReduceOnly) return 'ReduceOnly'
  return flags & bucketFlags.isTradable ? 'Tradable' : 'NonTradable'
}
