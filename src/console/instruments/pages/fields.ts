import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import type { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { type Column, facts, table } from '../../shared/elements.ts'
import { day, figure, words } from '../../shared/format.ts'
import { distanceHelp, type Field, fieldHelp } from './field-help.ts'
import { assetTypeName, holidaysHref } from './names.ts'

/** A card of the page: which fields stand in it, in which order. */
export type FieldGroup = Readonly<{ title: string; fields: readonly Field[] }>

const terms: readonly Field[] = [
  'PutCall',
  'StrikePrice',
  'ExpiryDate',
  'NoticeDate',
  'ExerciseStyle',
  'SettlementStyle',
  'ContractSize',
  'PriceToContractFactor',
  'OptionRootId',
  'UnderlyingUic',
  'UnderlyingAssetType',
  'CanParticipateInMultiLegOrder',
  'SupportedStrategies',
  'FxForwardMinForwardDate',
  'FxForwardMaxForwardDate',
  'IsRedemptionByAmounts',
]
const amounts: readonly Field[] = [
  'LotSize',
  'LotSizeType',
  'MinimumLotSize',
  'MinimumTradeSize',
  'MinimumOrderValue',
  'IncrementSize',
  'AmountDecimals',
  'DefaultAmount',
  'StandardAmounts',
  'OrderSetting',
]
const prices: readonly Field[] = [
  'TickSize',
  'TickSizeScheme',
  'PriceCurrency',
  'Format',
  'DefaultSlippage',
  'DefaultSlippageType',
  'OrderDistances',
]

export const aboutGroups: readonly FieldGroup[] = [
  {
    title: 'What it is',
    fields: ['AssetType', 'DisplayHint', 'IsComplex', 'CurrencyCode', 'TradingStatus', 'TradableAs'],
  },
  { title: 'Identity', fields: ['Uic', 'Symbol', 'Exchange', 'PrimaryListing', 'GroupId'] },
]

export const tradingGroups: readonly FieldGroup[] = [
  { title: 'Terms', fields: terms },
  { title: 'How much', fields: amounts },
  { title: 'At what price', fields: prices },
]

/** Fields that have a place of their own on the page. */
export const placedFields: readonly Field[] = [
  'Description',
  'IsTradable',
  'NonTradableReason',
  'RelatedInstruments',
  'RelatedOptionRootsEnhanced',
  'SupportedOrderTypeSettings',
  'SupportedOrderTypes',
  'TradableOn',
  'TradingSessions',
]

/** How the page leads to other instruments, by their Uic, and to a chain by its root. */
export type Links = Readonly<Record<'instrument' | 'chain', (id: number) => HtmlValue>>

type Show<Name extends Field> = (value: NonNullable<InstrumentDetails[Name]>, details: InstrumentDetails) => HtmlValue
type Shows = { [Name in Field]?: Show<Name> }

const mono = (value: string | number): Html => html`<bdi class="num">${value}</bdi>`
const list = (names: readonly string[]): string => names.map(words).join(', ')

const oddLots: Record<NonNullable<InstrumentDetails['LotSizeType']>, string> = {
  BuyOnly: 'only to buy',
  NotUsed: 'there are no lots',
  OddLotsAllowed: 'allowed',
  OddLotsNotAllowed: 'not allowed',
}

const shows: Shows = {
  AssetType: assetTypeName,
  DefaultSlippage: (value, { DefaultSlippageType }) => `${figure(value)} ${unit(DefaultSlippageType)}`,
  // Told beside the figure.
  DefaultSlippageType: () => undefined,
  DisplayHint: (value) => (value === 'None' ? undefined : words(value)),
  Exchange: ({ Name, ExchangeId, CountryCode, PriceSourceName }, { Uic, AssetType }) =>
    html`<bdi>${Name}</bdi> ${Name !== ExchangeId && mono(ExchangeId)} <span class="quiet">${CountryCode}${
      PriceSourceName && PriceSourceName !== Name && html`, prices from <bdi>${PriceSourceName}</bdi>`
    }</span><br><a class="small" href="${holidaysHref(Uic, AssetType)}">When it is closed</a>`,
  ExpiryDate: (value) => day(value),
  Format: ({ Format = 'Normal', Decimals, OrderDecimals, StrikeDecimals }) =>
    [
      Format !== 'Normal' && words(Format),
      Decimals !== undefined && `${Decimals} decimals`,
      OrderDecimals !== undefined && OrderDecimals !== Decimals && `${OrderDecimals} in orders`,
      StrikeDecimals !== undefined && StrikeDecimals !== Decimals && `${StrikeDecimals} in strikes`,
    ]
      .filter((part) => part !== false)
      .join(', '),
  FxForwardMaxForwardDate: (value) => day(value),
  FxForwardMinForwardDate: (value) => day(value),
  GroupId: (value) => (value === 0 ? 'none' : mono(value)),
  LotSizeType: (value) => oddLots[value],
  MinimumOrderValue: (value, { CurrencyCode }) => `${figure(value)} ${CurrencyCode ?? ''}`,
  NoticeDate: (value) => day(value),
  OrderDistances: orderDistances,
  OrderSetting: ({ Currency = '', MaxOrderSize, MaxOrderValue, MinOrderValue }) =>
    [
      MaxOrderSize !== undefined && `at most ${figure(MaxOrderSize)}`,
      MaxOrderValue !== undefined && `worth at most ${figure(MaxOrderValue)} ${Currency}`,
      MinOrderValue !== undefined && `worth at least ${figure(MinOrderValue)} ${Currency}`,
    ]
      .filter((part) => part !== false)
      .join(', '),
  StandardAmounts: (amounts) => amounts.map(figure).join(' · '),
  SupportedStrategies: list,
  Symbol: mono,
  TickSizeScheme: tickTable,
  TradableAs: (types) => types.map(assetTypeName).join(', '),
  Uic: mono,
  TradingStatus: (value) => (value === 'NonTradable' ? 'Not tradable' : words(value)),
  UnderlyingAssetType: assetTypeName,
}

const unit = (type: string | undefined): string => (type === 'Percentage' ? '%' : (type ?? '').toLowerCase())

/** The first element whose HighPrice is not below the price holds; above the last one, the default. */
function tickTable({ DefaultTickSize, Elements = [] }: NonNullable<InstrumentDetails['TickSizeScheme']>): HtmlValue {
  if (Elements.length === 0) return `always ${figure(DefaultTickSize)}`
  const last = Elements.at(-1)?.HighPrice ?? 0
  const rows = [
    ...Elements.map(({ HighPrice, TickSize }) => ({ price: `up to ${figure(HighPrice)}`, tick: TickSize })),
    { price: `above ${figure(last)}`, tick: DefaultTickSize },
  ]
  return html`<table class="inner"><caption class="unseen">Ticks by price</caption>
<thead><tr><th scope="col">Price</th><th scope="col" class="n">Tick</th></tr></thead>
<tbody>${rows.map(({ price, tick }) => html`<tr><td>${price}</td><td class="n">${figure(tick)}</td></tr>`)}</tbody></table>`
}

function orderDistances(distances: NonNullable<InstrumentDetails['OrderDistances']>): HtmlValue {
  const kinds = Object.keys(distanceHelp) as (keyof typeof distanceHelp)[]
  const lines = kinds.flatMap((kind) => {
    const distance = distances[`${kind}DefaultDistance`]
    if (distance === undefined) return []
    const stop = kind === 'StopLoss' && distances.StopLossDefaultOrderType
    const placed = `${figure(distance)} ${unit(distances[`${kind}DefaultDistanceType`])} for ${distanceHelp[kind]}`
    return [stop ? `${placed} (${words(stop).toLowerCase()})` : placed]
  })
  const proposed = [
    distances.StopLossDefaultEnabled && 'a stop loss',
    distances.TakeProfitDefaultEnabled && 'a take profit',
  ].filter((part) => part)
  if (proposed.length > 0) lines.push(`${proposed.join(' and ')} proposed with every order`)
  return html`<ul class="plain">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

/** A value as people read it; undefined where there is nothing to tell. */
export function fieldValue(name: Field, details: InstrumentDetails, links: Links): HtmlValue {
  const value = details[name]
  if (value === undefined) return undefined
  if (name === 'UnderlyingUic' || name === 'PrimaryListing')
    return value === details.Uic ? 'this one' : links.instrument(value as number)
  if (name === 'OptionRootId') return links.chain(value as number)
  const show = shows[name] as ((value: unknown, details: InstrumentDetails) => HtmlValue) | undefined
  if (show) return show(value, details)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'number' ? figure(value) : words(String(value))
}

/** One card of facts; nothing where it would be empty. */
export function fieldCard({ title, fields }: FieldGroup, details: InstrumentDetails, links: Links): Html | undefined {
  const told = fields
    .map((name) => ({ name, value: fieldValue(name, details, links) }))
    .filter(({ value }) => value !== undefined && value !== '')
  if (told.length === 0) return undefined
  return html`<section class="card"><h2>${title}</h2>
${facts(told.map(({ name, value }) => [fieldHelp[name][0], value]))}</section>`
}

/** What every field means that the instrument has: one place for all of them, which a link to it opens. */
export function meanings(details: InstrumentDetails): Html {
  const told = (Object.keys(fieldHelp) as Field[])
    .filter((name) => details[name] !== undefined)
    .map((name) => ({ name, label: fieldHelp[name][0], sentence: fieldHelp[name][1] }))
    .sort((one, other) => (one.label < other.label ? -1 : 1))
  return html`<details class="help"><summary>What the fields mean</summary>
<dl class="meanings" id="meanings">${told.map(({ name, label, sentence }) => html`<div><dt>${label} <code>${name}</code></dt><dd>${sentence}</dd></div>`)}</dl></details>`
}

/** Which kinds of order there are, and how long each may stay in force. */
export function orderTypes({
  SupportedOrderTypes,
  SupportedOrderTypeSettings = [],
}: InstrumentDetails): Html | undefined {
  const durationsOf = new Map(SupportedOrderTypeSettings.map((setting) => [setting.OrderType, setting.DurationTypes]))
  const types = SupportedOrderTypes ?? [...durationsOf.keys()]
  if (types.length === 0) return undefined
  const durations = [...new Set([...durationsOf.values()].flat())]
  const columns: Column<(typeof types)[number]>[] = [
    { head: 'Order', cell: words, isRowHead: true },
    ...durations.map((duration) => ({
      head: words(duration),
      cell: (type: (typeof types)[number]) =>
        durationsOf.get(type)?.includes(duration)
          ? html`<span class="yes">yes</span>`
          : html`<span class="quiet">no</span>`,
    })),
  ]
  return html`<section class="flow orders"><h2>Which orders, and how long they may last</h2>
${table('Order types and their durations', columns, types)}</section>`
}
