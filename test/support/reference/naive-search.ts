import type { accessView } from '../../../src/access/rules/visibility.ts'
import type { Criteria } from '../../../src/instruments/catalogue/search/find-rows.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../../../src/instruments/import/schema.ts'
import { classifier, type Texts, textsOf } from './naive-classes.ts'

export type Records = Readonly<{ instruments: readonly InstrumentRecord[]; roots: readonly OptionRootRecord[] }>
/** A base, and perhaps changes since. */
export type World = Readonly<{
  base: Records
  changed?: Records
  removed: { instruments: number[]; optionRoots: number[] }
}>
export type View = ReturnType<typeof accessView>
export type Entry = { kind: 0 | 1; id: number; type: string; isMatch: boolean }

/** The day differs between the three zones at this moment. */
export const now = Temporal.Instant.from('2026-11-16T10:30:00Z')
const exchange = (ExchangeId: string, TimeZone: string): ExchangeRecord => ({
  ExchangeId,
  Name: ExchangeId,
  CountryCode: 'US',
  TimeZone,
  Hours: [],
})
export const exchanges = [
  exchange('West', 'Pacific/Honolulu'),
  exchange('Mid', 'Etc/UTC'),
  exchange('EAST', 'Pacific/Auckland'),
]
const todayAt = new Map(
  exchanges.map(({ ExchangeId, TimeZone }) => [ExchangeId, now.toZonedDateTimeISO(TimeZone).toPlainDate().toString()]),
)

/** A record as the naive search sees it. */
export type Naive = {
  kind: 0 | 1
  id: number
  rank: number
  group: number
  isin: string | undefined
  figures: (number | undefined)[]
  types: (Texts & {
    type: string
    isMain: boolean
    exchangeId: string
    hint: string | undefined
    isComplex: boolean
    joinsMultiLeg: boolean
    isTradable: boolean
  })[]
}
function naiveOf(kind: 0 | 1, record: InstrumentRecord | OptionRootRecord): Naive {
  const {
    As,
    Isin,
    Aliases = [],
    OneWeekTotalValueChange,
    OneMonthTotalValueChange,
    OneYearTotalValueChange,
    ...shared
  } = record as InstrumentRecord & { AssetType: string; OptionRootId: number }
  const types = (kind === 0 ? As : [{ AssetType: shared.AssetType }]).map((entry, index) => {
    const facts = { ...shared, ...entry }
    const { AssetType, DisplayHint, TradingStatus = 'NotDefined', ExpiryDate, ExchangeId = '' } = facts
    const isLive = ExpiryDate === undefined || ExpiryDate >= (todayAt.get(ExchangeId) ?? '')
    const isFigure = AssetType === 'StockIndex' || DisplayHint === 'Continuous'
    return {
      ...textsOf(facts.Symbol ?? '', facts.Description ?? '', Aliases),
      type: AssetType,
      isMain: index === 0,
      exchangeId: ExchangeId,
      hint: DisplayHint,
      isComplex: facts.IsComplex === true,
      joinsMultiLeg: facts.CanParticipateInMultiLegOrder === true,
      isTradable: ['Tradable', 'NotDefined'].includes(TradingStatus) && isLive && !isFigure,
    }
  })
  return {
    kind,
    id: kind === 0 ? shared.Uic : shared.OptionRootId,
    rank: shared.Rank ?? Number.POSITIVE_INFINITY,
    group: shared.GroupId ?? 0,
    isin: Isin?.toLowerCase(),
    figures: [OneWeekTotalValueChange, OneMonthTotalValueChange, OneYearTotalValueChange],
    types,
  }
}

export function liveRecords({ base, changed, removed }: World): Naive[] {
  const deleted = new Set([
    ...removed.instruments.map((id) => `0 ${id}`),
    ...removed.optionRoots.map((id) => `1 ${id}`),
  ])
  const naive = ({ instruments, roots }: Records) => [
    ...instruments.map((record) => naiveOf(0, record)),
    ...roots.map((record) => naiveOf(1, record)),
  ]
  const newer = changed ? naive(changed) : []
  const replaced = new Set(newer.map(({ kind, id }) => `${kind} ${id}`))
  return [
    ...newer,
    ...naive(base).filter(({ kind, id }) => !deleted.has(`${kind} ${id}`) && !replaced.has(`${kind} ${id}`)),
  ]
}

function passes(record: Naive, type: Naive['types'][number], view: View, criteria: Criteria): boolean {
  const { assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder: legs, uics } = criteria
  const isRoot = record.kind === 1
  if (!view.isVisible(type.type, type.exchangeId)) return false
  const mayTrade = type.isTradable && view.tradingAccounts(type.type, type.exchangeId).length > 0
  return (
    (criteria.includeNonTradable || mayTrade) &&
    (assetTypes ? assetTypes.includes(type.type) : type.isMain) &&
    (exchangeId === undefined || exchangeId.toLowerCase() === type.exchangeId.toLowerCase()) &&
    (isComplex === undefined || isComplex === type.isComplex) &&
    (displayHint === undefined || displayHint === type.hint) &&
    (legs === undefined || !isRoot || legs === type.joinsMultiLeg) &&
    (uics === undefined || (!isRoot && uics.includes(record.id))) &&
    criteria.bounds.every(({ figure, from, to }) => {
      const value = record.figures[figure]
      return value !== undefined && from <= value && value <= to
    })
  )
}

/** Search as the specification describes it, written as a filter and a sort over all records (§6.1). */
export function naiveSearch(live: readonly Naive[], view: View, criteria: Criteria): Entry[] {
  const isVisible = ({ type, exchangeId }: Naive['types'][number]) => view.isVisible(type, exchangeId)
  const classOf = classifier(criteria.keywords ?? '', (matches) =>
    live.some(({ types, isin }) => types.some(isVisible) && types.some((row) => matches(row, isin) !== undefined)),
  )
  const isSearch = (criteria.keywords ?? '').trim() !== ''
  const rows = live.flatMap((record) => {
    const passing = record.types.filter((type) => passes(record, type, view, criteria))
    return passing.map((row) => ({ record, type: row.type, matched: isSearch ? classOf(row, record.isin) : 0 }))
  })
  const groups = new Set(rows.filter(({ matched }) => matched !== undefined).map(({ record }) => record.group))
  groups.delete(0)
  return rows
    .flatMap(({ matched, ...row }) =>
      matched !== undefined || groups.has(row.record.group) ? [{ ...row, matched: matched ?? 9 }] : [],
    )
    .sort(
      (one, other) =>
        one.matched - other.matched ||
        (one.record.rank === other.record.rank ? 0 : one.record.rank - other.record.rank) ||
        one.record.id - other.record.id ||
        one.record.kind - other.record.kind ||
        (one.type < other.type ? -1 : 1),
    )
    .map(({ record: { kind, id }, type, matched }) => ({ kind, id, type, isMatch: isSearch && matched !== 9 }))
}
