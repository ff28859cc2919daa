import { tradability } from '../../../access/rules/tradability.ts'
import type { AccessView } from '../../../access/rules/visibility.ts'
import { displayHints } from '../../api/enums.ts'
import type { FieldGroup } from '../../rules/field-groups.ts'
import type { ExchangeFacts } from '../exchanges.ts'
import type { Part, ProfileRights } from '../part.ts'
import { hasExpired } from '../search/search.ts'
import { withVisibleRelations } from '../search/visible.ts'
import { profileFlags, typeNames } from '../segment.ts'
import type { Snapshot } from '../snapshot.ts'
import type { AnswerText } from './answer-text.ts'

export type Groups = ReadonlySet<FieldGroup>

type Status = 'NonTradable' | 'NotDefined' | 'ReduceOnly' | 'Tradable'
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
  #known: { part: Part; rights: ProfileRights } | undefined

  constructor(snapshot: Snapshot, view: AccessView, now: Temporal.Instant) {
    this.#snapshot = snapshot
    this.#view = view
    this.#now = now
  }

  /** An entry of search (contract §6). */
  summary(out: AnswerText, part: Part, row: number, isKeywordMatch: boolean): void {
    const { segment } = part
    const doc = segment.rowDocs[row] as number
    out
      .ascii('{"Identifier":')
      .ascii(`${segment.docIds[doc]},`)
      .members(segment.text, segment.templateSummary, segment.rowTemplates[row] as number)
      .members(segment.text, segment.rowCommon, row)
      .ascii(isKeywordMatch ? '"IsKeywordMatch":true,' : '')
    this.#closeWith(out, this.#tradableAs(part, doc))
  }

  /** Details of an instrument in one of its asset types (§2.6). */
  details(out: AnswerText, part: Part, row: number, groups: Groups): void {
    const { segment } = part
    const doc = segment.rowDocs[row] as number
    out.ascii(`{"Uic":${segment.docIds[doc]},`).members(segment.text, segment.rowCommon, row)
    this.own(out, part, row)
    this.shared(out, part, row, groups)
    this.standing(out, part, row, this.#isExpired(part, row))
    this.#closeWith(out, this.#tradableAs(part, doc))
  }

  /** Members that are the row's own, without relations to what the caller may not see. */
  own(out: AnswerText, part: Part, row: number): void {
    const { text, rowOwn } = part.segment
    const related = part.relationsOf(row)
    if (related === undefined) out.members(text, rowOwn, row)
    else out.text(withVisibleRelations(this.#snapshot, this.#view, related)).ascii(',')
  }

  /** What a row, or a contract of a root's row, has from its template, its exchange and the groups asked for. */
  shared(out: AnswerText, part: Part, row: number, groups: Groups): void {
    const { segment } = part
    const template = segment.rowTemplates[row] as number
    out.members(segment.text, segment.templateDetails, template)
    if (groups.has('OrderSetting')) out.members(segment.text, segment.templateOrderSetting, template)
    if (groups.has('SupportedOrderTypeSettings')) out.members(segment.text, segment.templateOrderTypes, template)
    if (groups.has('TradingSessions')) {
      const json = part.scheduleOf(segment.rowDocs[row] as number, row, this.#now)
      out.ascii('"TradingSessions":').bytes(json).ascii(',')
    }
    out.bytes(part.exchangeOf(row).summary).ascii(',')
  }

  /** The caller's view of it; tells whether they may trade it. */
  standing(out: AnswerText, part: Part, row: number, isExpired: boolean, status = statusOf(part, row)): boolean {
    const { segment } = part
    const profile = part.profileOf(row)
    const AssetType = typeNames[segment.profileTypes[profile] as number] as string
    const exchangeId = segment.exchangeIds[segment.profileExchanges[profile] as number] as string
    const DisplayHint = displayHints[segment.profileHints[profile] as number]
    const accounts = this.#view.tradingAccounts(AssetType, exchangeId)
    const facts = { AssetType, DisplayHint, TradingStatus: status, isExpired }
    const { IsTradable, NonTradableReason } = tradability(facts, accounts)
    out.ascii(`"IsTradable":${IsTradable},"NonTradableReason":"${NonTradableReason}",`)
    out.text(tradableOn(IsTradable ? accounts : none)).ascii(',')
    return IsTradable
  }

  /** The same for a contract of a root, which has no other asset type than the root's. */
  contractStanding(out: AnswerText, part: Part, row: number, isExpired: boolean, status: Status): void {
    // A root that is not traded has no contract that is.
    const rootStatus = statusOf(part, row)
    const isTradable = this.standing(out, part, row, isExpired, rootStatus === 'Tradable' ? status : rootStatus)
    const type = typeNames[part.segment.profileTypes[part.profileOf(row)] as number] as string
    this.#closeWith(out, isTradable ? [type] : none)
  }

  /** Ends an object with the asset types in which the caller may trade; without any it is left out (contract §2). */
  #closeWith(out: AnswerText, tradableAs: readonly string[]): void {
    if (tradableAs.length > 0) out.ascii(`"TradableAs":["${tradableAs.join('","')}"]}`)
    else out.close()
  }

  /** The main type first, the others by name. */
  #tradableAs(part: Part, doc: number): string[] {
    const { segment } = part
    const { tradable } = this.#rightsIn(part)
    const names: string[] = []
    for (let row = segment.docRows[doc] as number; row < (segment.docRows[doc + 1] as number); row++) {
      const profile = part.profileOf(row)
      if (!tradable[profile] || this.#isExpired(part, row)) continue
      const name = typeNames[segment.profileTypes[profile] as number] as string
      if ((segment.profileFlags[profile] as number) & profileFlags.isMain) names.unshift(name)
      else names.push(name)
    }
    return names
  }

  #isExpired(part: Part, row: number): boolean {
    if (part.segment.rowExpiries[row] === 0) return false
    return hasExpired(part.segment, row, this.todayAt(part.exchangeOf(row)))
  }

  /** Rows of a page are nearly always of one part. */
  #rightsIn(part: Part): ProfileRights {
    if (this.#known?.part !== part) this.#known = { part, rights: part.rightsOf(this.#view) }
    return this.#known.rights
  }

  todayAt(exchange: ExchangeFacts): number {
    return this.#snapshot.todayAt(exchange, this.#now)
  }

  isVisible(part: Part, row: number): boolean {
    return this.#rightsIn(part).visible[part.profileOf(row)] === 1
  }
}

/** As far as it decides: what is neither tradable nor to be reduced is not tradable. */
function statusOf(part: Part, row: number): Status {
  const flags = part.segment.profileFlags[part.profileOf(row)] as number
  if (flags & profileFlags.isReduceOnly) return 'ReduceOnly'
  return flags & profileFlags.isTradable ? 'Tradable' : 'NonTradable'
}
