import { fieldNames, fields } from '../../api/fields/fields.ts'
import type { Details, InstrumentRecord, OptionRootRecord } from '../../import/schema.ts'

/** A row before it is written: an instrument in one asset type, or an option root. */
export type RowFields = Details & {
  AssetType: string
  ExchangeId: string
  Symbol: string
  Description: string
  CurrencyCode: string
  IssuerCountry?: string
}

type Member = Readonly<{
  name: string
  /** The name as JSON, with a colon. */
  start: string
  /** What is sent if a record does not have the field. */
  absent: unknown
  /** For fields whose form differs from that in the record. */
  toWire: ((value: never) => unknown) | undefined
}>

function membersOf(names: readonly string[], absent: Record<string, unknown> = {}): Member[] {
  return names.map((name) => {
    const field: object = fields[name as keyof typeof fields] ?? {}
    return {
      name,
      start: `${JSON.stringify(name)}:`,
      absent: absent[name] ?? ('absent' in field ? field.absent : undefined),
      toWire: 'toWire' in field ? (field.toWire as Member['toWire']) : undefined,
    }
  })
}

const commonMembers = membersOf(fieldNames('common'), { GroupId: 0 })
const ownMembers = membersOf(fieldNames('row'), { TradingStatus: 'NotDefined' })
const templateFields = ['AssetType', ...fieldNames('template')] as const
const templateMembers = membersOf(templateFields)
const templateKeyFields = new Set<string>([
  ...templateFields,
  ...fieldNames('onRequest'),
  'ExchangeId',
  'IssuerCountry',
  'TradingStatus',
])

/** `"Name":value` for each field with a value, separated by commas. Empty arrays are omitted (§2.2). */
function toJsonMembers(row: Record<string, unknown>, members: readonly Member[]): string {
  let text = ''
  for (const { name, start, absent, toWire } of members) {
    const value = row[name] ?? absent
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    if (text !== '') text += ','
    text += start + JSON.stringify(toWire?.(value as never) ?? value)
  }
  return text
}

const priceCurrencyOf = ({ PriceCurrency, CurrencyCode }: RowFields): string => PriceCurrency ?? CurrencyCode

/** With the currency of prices. Normal is omitted. */
function wireFormat(row: RowFields): RowFields['Format'] {
  if (!row.Format) return undefined
  const { Format, ...others } = row.Format
  return { PriceCurrency: priceCurrencyOf(row), ...others, ...(Format !== 'Normal' && { Format }) }
}

export const commonText = (row: RowFields): string => toJsonMembers(row, commonMembers)

export const ownText = (row: RowFields): string => toJsonMembers(row, ownMembers)

export const detailsText = (row: RowFields): string =>
  toJsonMembers({ ...row, Format: wireFormat(row), PriceCurrency: priceCurrencyOf(row) }, templateMembers)

const summaryMembers = membersOf([
  'AssetType',
  'CurrencyCode',
  'DisplayHint',
  'ExchangeId',
  'IssuerCountry',
  'SummaryType',
  'UnderlyingAssetType',
  'CanParticipateInMultiLegOrder',
  'GroupOptionRootId',
])

export function summaryText(row: RowFields, isRoot: boolean, groupRootId?: number): string {
  const { AssetType, CurrencyCode, DisplayHint, ExchangeId, IssuerCountry, UnderlyingAssetType } = row
  const { CanParticipateInMultiLegOrder = isRoot ? false : undefined } = row
  const summary = {
    AssetType,
    CurrencyCode,
    DisplayHint,
    ExchangeId,
    IssuerCountry,
    SummaryType: isRoot ? 'ContractOptionRoot' : 'Instrument',
    UnderlyingAssetType,
    CanParticipateInMultiLegOrder,
    GroupOptionRootId: groupRootId,
  }
  return toJsonMembers(summary, summaryMembers)
}

/** Rows with equal keys share a template. Of hundreds of fields a record has few, so only those are looked at. */
export function templateKey(row: RowFields): string {
  let key = ''
  for (const name in row) if (templateKeyFields.has(name)) key += `${name}:${keyText(row[name as keyof RowFields])}\0`
  return key
}

/** Strings are kept verbatim: no record contains a null character, which separates them. */
const keyText = (value: unknown): unknown => (typeof value === 'string' ? `"${value}` : JSON.stringify(value))

const orderSettingMembers = membersOf(['OrderSetting'])
const orderTypesMembers = membersOf(['SupportedOrderTypeSettings'])
export const orderSettingText = (row: RowFields): string => toJsonMembers(row, orderSettingMembers)
export const orderTypesText = (row: RowFields): string => toJsonMembers(row, orderTypesMembers)

const fxDerivative = /^Fx(Forwards|Swap|.+Option)$/

const listedTypes: ReadonlySet<string> = new Set(['CompanyWarrant', 'Etc', 'Etf', 'Etn', 'Fund', 'Rights', 'Stock'])

/** Makes a row per entry of `As`, whose fields override the record's. By default a security is its own primary listing, and a
 *  currency pair is the underlying of its forwards, swaps and options, which share its Uic. */
export function rowsOf(record: InstrumentRecord): RowFields[] {
  const { As } = record
  const isListed = listedTypes.has(As[0]?.AssetType ?? '')
  const listing = isListed && { PrimaryListing: record.Uic }
  const spot = As.find(({ AssetType }) => AssetType === 'FxSpot')
  const underlying = spot && { UnderlyingUic: record.Uic, UnderlyingAssetType: spot.AssetType }
  return As.map(
    (entry) =>
      ({
        ...(fxDerivative.test(entry.AssetType) && underlying),
        ...listing,
        ...record,
        ...entry,
      }) as unknown as RowFields,
  )
}

export const rootFields = (record: OptionRootRecord): RowFields => record as unknown as RowFields
