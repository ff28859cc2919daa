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

const commonFields = fieldNames('common')
const rowFields = fieldNames('row')
const templateFields = ['AssetType', ...fieldNames('template')] as const
const templateKeyFields = new Set<string>([
  ...templateFields,
  ...fieldNames('onRequest'),
  'ExchangeId',
  'IssuerCountry',
  'TradingStatus',
])

/** What is sent of fields that a record does not have. */
const absent: Record<string, unknown> = Object.fromEntries(
  Object.entries(fields).flatMap(([name, field]) => ('absent' in field ? [[name, field.absent]] : [])),
)

/** How fields are sent whose form differs from that in the record. */
const toWire = new Map<string, (value: never) => unknown>(
  Object.entries(fields).flatMap(([name, field]) => ('toWire' in field ? [[name, field.toWire]] : [])),
)

/** `"Name":value` for each field with a value, separated by commas. Empty arrays are omitted (§2.2). */
function toJsonMembers(row: Record<string, unknown>, names: readonly string[]): string {
  const members: string[] = []
  for (const name of names) {
    const value = row[name] ?? absent[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    members.push(`"${name}":${JSON.stringify(toWire.get(name)?.(value as never) ?? value)}`)
  }
  return members.join(',')
}

const priceCurrencyOf = ({ PriceCurrency, CurrencyCode }: RowFields): string => PriceCurrency ?? CurrencyCode

/** With the currency of prices. Normal is omitted. */
function wireFormat(row: RowFields): RowFields['Format'] {
  if (!row.Format) return undefined
  const { Format, ...others } = row.Format
  return { PriceCurrency: priceCurrencyOf(row), ...others, ...(Format !== 'Normal' && { Format }) }
}

export const commonText = (row: RowFields): string => toJsonMembers({ ...row, GroupId: row.GroupId ?? 0 }, commonFields)

export const ownText = (row: RowFields): string =>
  toJsonMembers({ ...row, TradingStatus: row.TradingStatus ?? 'NotDefined' }, rowFields)

export const detailsText = (row: RowFields): string =>
  toJsonMembers({ ...row, Format: wireFormat(row), PriceCurrency: priceCurrencyOf(row) }, templateFields)

export function summaryText(row: RowFields, isRoot: boolean, groupRootId?: number): string {
  const { AssetType, CurrencyCode, DisplayHint, ExchangeId, IssuerCountry, UnderlyingAssetType } = row
  const summary = {
    AssetType,
    CurrencyCode,
    DisplayHint,
    ExchangeId,
    IssuerCountry,
    SummaryType: isRoot ? 'ContractOptionRoot' : 'Instrument',
    UnderlyingAssetType,
    CanParticipateInMultiLegOrder: isRoot ? (row.CanParticipateInMultiLegOrder ?? false) : undefined,
    GroupOptionRootId: groupRootId,
  }
  return toJsonMembers(summary, Object.keys(summary))
}

/** Rows with equal keys share a template. Of hundreds of fields a record has few, so only those are looked at. */
export function templateKey(row: RowFields): string {
  let key = ''
  for (const name in row)
    if (templateKeyFields.has(name)) key += `${name}:${JSON.stringify(row[name as keyof RowFields])},`
  return key
}

export const orderSettingText = (row: RowFields): string => toJsonMembers(row, ['OrderSetting'])
export const orderTypesText = (row: RowFields): string => toJsonMembers(row, ['SupportedOrderTypeSettings'])

const fxDerivative = /^Fx(Forwards|Swap|.+Option)$/

/** One row per entry of `As`, whose fields override those of the record. Forwards, swaps and options on a currency pair
 *  have the Uic of the pair, which is their underlying unless the record says otherwise. */
export function rowsOf(record: InstrumentRecord): RowFields[] {
  const { As, ...shared } = record
  const spot = As.find(({ AssetType }) => AssetType === 'FxSpot')
  const underlying = spot && { UnderlyingUic: record.Uic, UnderlyingAssetType: spot.AssetType }
  return As.map(
    (entry) => ({ ...(fxDerivative.test(entry.AssetType) && underlying), ...shared, ...entry }) as unknown as RowFields,
  )
}

export const rootFields = (record: OptionRootRecord): RowFields => record as unknown as RowFields
