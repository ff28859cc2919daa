import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { type FieldName, fieldSections, fields } from '../../../instruments/api/fields/fields.ts'
import type { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { exchangeHref } from '../../exchanges/paths.ts'
import { type Column, copyValue, facts, hiddenText, table } from '../../shared/elements.ts'
import { capital, day, dayAndTime, figure, words } from '../../shared/format.ts'
import { assetTypeName } from './names.ts'

type Field = FieldName
export type FieldCard = Readonly<{ title: string; fields: readonly Field[] }>

const card = (title: keyof typeof fieldSections): FieldCard => ({
  title,
  fields: Object.keys(fieldSections[title]) as Field[],
})
export const cards = {
  about: [card('Classification'), card('Identifiers'), card('Features')],
  trading: [card('Contract terms'), card('Bond terms'), card('Fund terms'), card('Order size'), card('Pricing')],
}

const orderNames = {
  Entry: 'an entry order',
  Limit: 'a limit order',
  StopLimit: 'the limit of a stop-limit order',
  StopLoss: 'a stop-loss order',
  TakeProfit: 'a take-profit order',
} as const

export type Links = Readonly<Record<'instrument' | 'chain', (id: number) => HtmlValue>>

type Show<Name extends Field> = (value: NonNullable<InstrumentDetails[Name]>, details: InstrumentDetails) => HtmlValue
type Shows = { [Name in Field]?: Show<Name> }

const mono = (value: string | number): Html => html`<bdi class="num">${value}</bdi>`
const list = (names: readonly string[]): string => names.map(words).join(', ')

const oddLots: Record<NonNullable<InstrumentDetails['LotSizeType']>, string | undefined> = {
  BuyOnly: 'only when buying',
  NotUsed: undefined,
  OddLotsAllowed: 'allowed',
  OddLotsNotAllowed: 'not allowed',
}

const shows: Shows = {
  AssetType: assetTypeName,
  BondType: (value) => words(value).replace('Non ', 'Not ').replace('nflation linked', 'nflation-linked'),
  Coupon: (value) => `${figure(value)} %`,
  CutOffTimeForRedemptions: timeOfDay,
  CutOffTimeForSubscriptions: timeOfDay,
  DefaultSlippage: (value, { DefaultSlippageType }) => `${figure(value)} ${unit(DefaultSlippageType)}`,
  // Shown next to the figure.
  DefaultSlippageType: () => undefined,
  DeflationFloorProtectionType: ({ Value }) => html`<bdi>${Value}</bdi>`,
  DisplayHint: (value) => (value === 'None' ? undefined : words(value)),
  Exchange: ({ Name, ExchangeId, CountryCode, PriceSourceName }) =>
    html`<a href="${exchangeHref(ExchangeId)}"><bdi>${Name}</bdi></a> ${Name !== ExchangeId && mono(ExchangeId)} <span class="quiet">${CountryCode}${
      PriceSourceName && PriceSourceName !== Name && html`, prices from <bdi>${PriceSourceName}</bdi>`
    }</span>`,
  ExerciseCutOffTime: (value) => html`${timeOfDay(value)} <span class="quiet">exchange time</span>`,
  ExpiryDate: (value) => day(value),
  ExpiryDateTime: (value) => `${dayAndTime(value, 'UTC')} UTC`,
  Format: ({ Format = 'Normal', Decimals, NumeratorDecimals, OrderDecimals, StrikeDecimals, BarrierDecimals }) =>
    [
      Format !== 'Normal' && capital(words(Format).replace('Allow ', '')),
      Decimals !== undefined && `${Decimals} decimals`,
      OrderDecimals !== undefined && OrderDecimals !== Decimals && `${OrderDecimals} in orders`,
      StrikeDecimals !== undefined && StrikeDecimals !== Decimals && `${StrikeDecimals} in strikes`,
      BarrierDecimals !== undefined && BarrierDecimals !== Decimals && `${BarrierDecimals} in barriers`,
      NumeratorDecimals !== undefined && `${NumeratorDecimals} in numerators`,
    ]
      .filter((part) => part !== false)
      .join(', '),
  FxForwardMaxForwardDate: (value) => day(value),
  FxForwardMinForwardDate: (value) => day(value),
  FxSpotDate: (value) => day(value.slice(0, 10)),
  GroupId: (value) => (value === 0 ? 'none' : mono(value)),
  IpoDetails: offering,
  IssueDate: (value) => day(value.slice(0, 10)),
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
  // The same for most.
  PriceCurrency: (value, { CurrencyCode }) => (value === CurrencyCode ? undefined : value),
  StandardAmounts: (amounts) => amounts.map(figure).join(' · '),
  SupportedStrategies: list,
  Symbol: (value) => copyValue(value, 'symbol'),
  TickSizeScheme: tickTable,
  TradableAs: (types) => types.map(assetTypeName).join(', '),
  Uic: (value) => copyValue(value, 'Uic'),
  // NotDefined says nothing; whether and why an instrument is not tradable is in the head of the page.
  TradingStatus: (value) =>
    value === 'NotDefined' ? undefined : value === 'NonTradable' ? 'Not tradable' : words(value),
  UnderlyingAssetType: assetTypeName,
}

/** In a grid of yes and no: a mark or nothing. Both are read out. */
const checkMark = (isSet: boolean): Html =>
  isSet ? html`<span class="yes" aria-hidden="true">✓</span>${hiddenText('yes')}` : hiddenText('no')

/** A label with the name of the field in the API, and what it means, on hover. */
const labelled = (name: Field): Html =>
  html`<span class="field-name" title="${name}: ${fields[name].sentence}">${fields[name].label}</span>`

/** `10:00` for 10:00:00. */
function timeOfDay(value: string): string {
  return value.replace(/:00$/, '')
}

const unit = (type: string | undefined): string => (type === 'Percentage' ? '%' : (type ?? '').toLowerCase())

function offering(terms: NonNullable<InstrumentDetails['IpoDetails']>): HtmlValue {
  const shown = (value: string | number | number[]) => {
    if (typeof value === 'string') return `${dayAndTime(value, 'UTC')} UTC`
    return [value].flat().map(figure).join(' · ')
  }
  const lines = Object.entries(terms).map(([name, value]) => `${words(name)}: ${shown(value)}`)
  return html`<ul class="plain">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

/** The first element whose HighPrice is not below the price applies; above the last one, the default. */
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
  const kinds = Object.keys(orderNames) as (keyof typeof orderNames)[]
  const lines = kinds.flatMap((kind) => {
    const distance = distances[`${kind}DefaultDistance`]
    if (distance === undefined) return []
    const stop = kind === 'StopLoss' && distances.StopLossDefaultOrderType
    const text = `${figure(distance)} ${unit(distances[`${kind}DefaultDistanceType`])} for ${orderNames[kind]}`
    return [stop ? `${text} (${words(stop).toLowerCase()})` : text]
  })
  const suggested = [
    distances.StopLossDefaultEnabled && 'stop loss',
    distances.TakeProfitDefaultEnabled && 'take profit',
  ].filter((name) => name)
  if (suggested.length > 0) lines.push(`${suggested.join(' and ')} suggested with every order`)
  return html`<ul class="plain">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

/** A field's value as shown on the page; undefined hides it. */
export function fieldValue(name: Field, details: InstrumentDetails, links: Links): HtmlValue {
  const value = details[name]
  if (value === undefined || (value === false && name in fieldSections.Features)) return undefined
  if (name === 'UnderlyingUic' || name === 'PrimaryListing')
    return value === details.Uic ? 'this one' : links.instrument(value as number)
  if (name === 'Legs')
    return html`<ul class="plain">${details.Legs?.map(
      ({ BuySell, Multiplier, Uic }) => html`<li>${BuySell} ${figure(Multiplier)} × ${links.instrument(Uic)}</li>`,
    )}</ul>`
  if (name === 'OptionRootId') return links.chain(value as number)
  const show = shows[name] as ((value: unknown, details: InstrumentDetails) => HtmlValue) | undefined
  if (show) return show(value, details)
  if (name in fieldSections.Features) return checkMark(true)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'number' ? figure(value) : words(String(value))
}

export function fieldCard(card: FieldCard, details: InstrumentDetails, links: Links): Html | undefined {
  const shown = card.fields
    .map((name) => ({ name, value: fieldValue(name, details, links) }))
    .filter(({ value }) => value !== undefined && value !== '')
  if (shown.length === 0) return undefined
  return html`<section class="card"><h2>${card.title}</h2>
${facts(shown.map(({ name, value }) => [labelled(name), value]))}</section>`
}

export function meanings(details: InstrumentDetails): Html {
  const shown = (Object.keys(fields) as Field[])
    .filter((name) => details[name] !== undefined)
    .map((name) => ({ name, label: fields[name].label, sentence: fields[name].sentence }))
    .sort((one, other) => (one.label < other.label ? -1 : 1))
  return html`<details class="help"><summary>Field descriptions</summary>
<dl class="meanings" id="meanings">${shown.map(({ name, label, sentence }) => html`<div><dt>${label} <code>${name}</code></dt><dd>${sentence}</dd></div>`)}</dl></details>`
}

export function orderTypes({
  SupportedOrderTypes,
  SupportedOrderTypeSettings = [],
}: InstrumentDetails): Html | undefined {
  const durationsOf = new Map(SupportedOrderTypeSettings.map((setting) => [setting.OrderType, setting.DurationTypes]))
  const types = SupportedOrderTypes ?? [...durationsOf.keys()]
  if (types.length === 0) return undefined
  const durations = [...new Set([...durationsOf.values()].flat())]
  const columns: Column<(typeof types)[number]>[] = [
    ['Order', words, 'name'],
    ...durations.map(
      (duration): Column<(typeof types)[number]> => [
        words(duration),
        (type) => checkMark(durationsOf.get(type)?.includes(duration) === true),
      ],
    ),
  ]
  return html`<section class="flow orders"><h2>Order types and durations</h2>
${table('Order types and their durations', columns, types)}</section>`
}
