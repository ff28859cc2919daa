import type { Event } from '../../../events/api/schema.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import { type Column, copyValue, facts, table } from '../../shared/elements.ts'
import { capital, figure, words } from '../../shared/format.ts'
import { electionName, momentIn, moneyFigure } from '../labels.ts'
import { dateText } from './dates.ts'

type Price = Readonly<{ Value: number; Currency?: string; Type?: string }>
type DateAndStatus = Readonly<{ Date?: string; Status?: string }>
type Code = Readonly<{ Code: string; Name?: string | undefined; Description?: string | undefined }>
type Names = Readonly<{ Description?: string; Symbol?: string; IsinCode?: string }>

const about = ['CorporateActionType', 'EventState', 'EventStatus', 'Electable', 'InformationToComply']
const members: readonly string[] = [
  ...about,
  ...['OptionId', 'OptionStatus', 'IsDefault', 'CashMovementType', 'SecurityMovementType', 'Component'],
  ...['DisplayAndFormat', 'Uic', 'GrossRate', 'NetRate', 'IsGross', 'IsTaxable', 'CashRequired', 'StrikePrice'],
  ...['MinPrice', 'MaxPrice', 'FirstBidIncrementPrice', 'LastBidIncrementPrice', 'BidIntervalRate'],
  ...['MinQuantitySought', 'MaxQuantitySought', 'MinExercisableQuantity', 'MinExercisableMultipleQuantity'],
  ...['MaxExercisableQuantity', 'NewBoardLotQuantity', 'NewDenominationQuantity', 'NumberofDaysAccrued'],
  ...['NewQuantity', 'OldQuantity', 'ReceivedQuantity', 'HeldQuantity', 'PriceType', 'Amount', 'GrossDividend'],
  ...['NetDividend', 'DeemedRate', 'InterestRate', 'OfferPrice', 'SubscriptionPrice', 'Quantity', 'Currency'],
  ...['ReinvestmentPrice', 'AvailableForTrade', 'LastTrade', 'PariPassu'],
]

const specialLabels: Readonly<Record<string, string>> = {
  CorporateActionType: 'Participation',
  Electable: 'Electability',
  InformationToComply: 'Restrictions',
  OptionId: 'Option ID',
  CashMovementType: 'Booking',
  SecurityMovementType: 'Booking',
  DisplayAndFormat: 'Security',
  MinExercisableMultipleQuantity: 'In multiples of',
  NumberofDaysAccrued: 'Days of accrued interest',
  AvailableForTrade: 'Tradable from',
  InterestRate: 'Interest rate, %',
  LastTrade: 'Last trading day',
  PariPassu: 'Ranks equally from',
}

/** `Minimum price` for `MinPrice`, `Taxable` for `IsTaxable`. */
export const labelOf = (member: string): string =>
  specialLabels[member] ??
  capital(words(member).replace(/^Is /, '').replace(/^Min /, 'Minimum ').replace(/^Max /, 'Maximum '))

export const priceText = ({ Value, Currency, Type }: Price): string =>
  [Type === 'Percentage' ? `${figure(Value)} %` : moneyFigure(Value), Currency].filter(Boolean).join(' ')

export const codeText = ({ Code, Name, Description }: Code): Html =>
  html`${Name ?? Code} <span class="num quiet">${Code}</span>${Description && html`<br><span class="small quiet">${Description}</span>`}`

const namesText = ({ Description, Symbol, IsinCode }: Names): Html =>
  html`<bdi>${Description}</bdi> <span class="num quiet"><bdi>${[Symbol, IsinCode].filter(Boolean).join(' ')}</bdi></span>`

const money = new Set([
  'Amount',
  'GrossDividend',
  'NetDividend',
  'OfferPrice',
  'SubscriptionPrice',
  'ReinvestmentPrice',
])

/** Formats a member by its name and shape: a price, a date, a code, an instrument or a plain value. */
function valueText(member: string, value: unknown, zone: string): HtmlValue {
  if (value === undefined) return undefined
  if (member === 'Uic') return html`<span class="num">${String(value)}</span>`
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return money.has(member) ? moneyFigure(value) : figure(value)
  if (typeof value === 'string') return words(value)
  const shape = value as object
  if ('Value' in shape) return priceText(shape as Price)
  if ('Code' in shape) return codeText(shape as Code)
  if ('Date' in shape || 'Status' in shape) return statusDate(shape as DateAndStatus, zone)
  return namesText(shape as Names)
}

const statusDate = ({ Date, Status }: DateAndStatus, zone: string): Html =>
  html`${Date !== undefined && dateText(Date, zone)} ${Status !== undefined && words(Status)}`

type Row = Readonly<Record<string, unknown>>

export const factsIn = (row: object, zone: string, wanted = members): [string, HtmlValue][] =>
  wanted
    .filter((member) => (row as Row)[member] !== undefined)
    .map((member) => [labelOf(member), valueText(member, (row as Row)[member], zone)])

export function factTable(caption: string, rows: readonly object[] | undefined, zone: string): Html | undefined {
  if (!rows || rows.length === 0) return undefined
  const all = rows as readonly Row[]
  const present = members.filter((member) => all.some((row) => row[member] !== undefined))
  const columns = present.map((member, index): Column<Row> => {
    const isFigure = all.every((row) => row[member] === undefined || typeof row[member] === 'number')
    const cell = (row: Row) => valueText(member, row[member], zone)
    return [labelOf(member), cell, index === 0 ? 'name' : isFigure ? 'figure' : undefined]
  })
  return html`<h4>${caption}</h4>${table(caption, columns, all)}`
}

export function indicatorList(indicators: Event['EventIndicators']): Html | undefined {
  if (!indicators || indicators.length === 0) return undefined
  return html`<dl class="facts stacked">${indicators.map(
    ({ Indicator, Values }) =>
      html`<dt>${words(Indicator.replace('Statusof', 'StatusOf'))}</dt>${
        Values.length === 0
          ? html`<dd class="quiet">no value</dd>`
          : Values.map((value) => html`<dd>${codeText(value)}</dd>`)
      }`,
  )}</dl>`
}

export function factCards(event: Event, zone: string): Html {
  const { DisplayAndFormat: names, Uic, AssetType, EventId } = event
  const shownElsewhere = [...about, 'Uic', 'DisplayAndFormat']
  const terms = factsIn(
    event,
    zone,
    members.filter((member) => !shownElsewhere.includes(member)),
  )
  const indicators = indicatorList(event.EventIndicators)
  return html`<div class="cards event-facts">
${terms.length > 0 && html`<section class="card"><h2>Terms</h2>${facts(terms)}</section>`}
<section class="card"><h2>Event details</h2>${facts([
    ['Event ID', copyValue(EventId, 'event ID')],
    ['Event type', codeText({ ...event.EventType, Description: undefined })],
    ...factsIn(event, zone, about),
    ['Election', event.ElectionStatus && electionName(event.ElectionStatus)],
    ['Last updated', momentIn(event.UpdatedDateTime, zone)],
  ])}</section>
<section class="card"><h2>Instrument</h2>${facts([
    [
      'Name',
      names?.Description &&
        html`<a href="/console/instruments/${Uic}/${AssetType}"><bdi>${names.Description}</bdi></a>`,
    ],
    ['Symbol', names?.Symbol && copyValue(names.Symbol, 'symbol')],
    ['ISIN', names?.IsinCode && copyValue(names.IsinCode, 'ISIN')],
    ['Uic', copyValue(Uic, 'Uic')],
    ['Asset type', assetTypeName(AssetType)],
  ])}</section>
${indicators && html`<section class="card"><h2>Indicators</h2>${indicators}</section>`}
</div>`
}
