import type { Details } from '../../api/detail-schema.ts'
import type { InstrumentRecord, OptionRootRecord } from '../../import/schema.ts'

/**
 * A row's answers are put together from pieces that are made once: what is the row's own, and what it shares with many
 * others and is kept once for all of them.
 */
export type RowFields = Details & {
  AssetType: string
  ExchangeId: string
  Symbol: string
  Description: string
  CurrencyCode: string
  IssuerCountry?: string
}

/** Members of the search entry and of the details alike that are nearly always the row's own. */
const common = ['Description', 'Symbol', 'PrimaryListing', 'UnderlyingUic'] as const

/** Members of the details that are the row's own; of a root, what does not hold for its contracts. */
const own = ['ExpiryDate', 'NoticeDate', 'RelatedInstruments', 'RelatedOptionRootsEnhanced', 'TradingStatus'] as const

/** Members of the details that many rows share. */
const sharedByMany = [
  'AmountDecimals',
  'AssetType',
  'CanParticipateInMultiLegOrder',
  'ContractSize',
  'CurrencyCode',
  'DefaultAmount',
  'DefaultSlippage',
  'DefaultSlippageType',
  'DisplayHint',
  'ExerciseStyle',
  'Format',
  'FxForwardMaxForwardDate',
  'FxForwardMinForwardDate',
  'IncrementSize',
  'IsComplex',
  'IsRedemptionByAmounts',
  'LotSize',
  'LotSizeType',
  'MinimumLotSize',
  'MinimumOrderValue',
  'MinimumTradeSize',
  'OrderDistances',
  'PriceCurrency',
  'PriceToContractFactor',
  'SettlementStyle',
  'StandardAmounts',
  'SupportedOrderTypes',
  'SupportedStrategies',
  'TickSize',
  'TickSizeScheme',
  'UnderlyingAssetType',
] as const

/** `"Name":value` of each member that has one, with commas between; an empty array is no value (contract §2). */
function members(facts: Record<string, unknown>, names: readonly string[]): string {
  const parts: string[] = []
  for (const name of names) {
    const value = facts[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    parts.push(`"${name}":${JSON.stringify(value)}`)
  }
  return parts.join(',')
}

/** A format says nothing when it is Normal. */
function shownFormat({ Format }: RowFields): RowFields['Format'] {
  if (Format?.Format !== 'Normal') return Format
  const { Format: _, ...rest } = Format
  return rest
}

export const commonText = (facts: RowFields): string => `${members(facts, common)},"GroupId":${facts.GroupId ?? 0}`

export const ownText = (facts: RowFields): string =>
  members({ ...facts, TradingStatus: facts.TradingStatus ?? 'NotDefined' }, own)

export function detailsText(facts: RowFields): string {
  const shown = {
    ...facts,
    Format: shownFormat(facts),
    IsComplex: facts.IsComplex ?? false,
  }
  return members(shown, sharedByMany)
}

export function summaryText(facts: RowFields, isRoot: boolean, groupRootId?: number): string {
  const { AssetType, CurrencyCode, DisplayHint, ExchangeId, IssuerCountry, UnderlyingAssetType } = facts
  const shown = {
    AssetType,
    CurrencyCode,
    DisplayHint,
    ExchangeId,
    IssuerCountry,
    SummaryType: isRoot ? 'ContractOptionRoot' : 'Instrument',
    UnderlyingAssetType,
    CanParticipateInMultiLegOrder: isRoot ? (facts.CanParticipateInMultiLegOrder ?? false) : undefined,
    GroupOptionRootId: groupRootId,
  }
  return members(shown, Object.keys(shown))
}

const templateMembers = [
  ...sharedByMany,
  'ExchangeId',
  'IssuerCountry',
  'OrderSetting',
  'SupportedOrderTypeSettings',
  'TradingStatus',
] as const

/** Everything that a row's template is made of, as one text: rows with the same text have the same template. */
export const templateKey = (facts: RowFields): string => JSON.stringify(templateMembers.map((name) => facts[name]))

export const orderSettingText = (facts: RowFields): string => members(facts, ['OrderSetting'])
export const orderTypesText = (facts: RowFields): string => members(facts, ['SupportedOrderTypeSettings'])

/** The facts of each asset type of an instrument: what its entry of `As` says wins over the record. */
export function rowsOf(record: InstrumentRecord): RowFields[] {
  const { As, ...shared } = record
  return As.map((entry) => ({ ...shared, ...entry }) as unknown as RowFields)
}

export const rootFacts = (record: OptionRootRecord): RowFields => record as unknown as RowFields
