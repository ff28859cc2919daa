import type { Event } from '../../../events/api/schema.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import { type Column, facts, table } from '../../shared/elements.ts'
import { figure, words } from '../../shared/format.ts'
import { electionTag, momentIn, moneyFigure } from '../labels.ts'
import { dateText } from './dates.ts'

type Price = Readonly<{ Value: number; Currency?: string; Type?: string }>
type DateAndStatus = Readonly<{ Date?: string; Status?: string }>
type Code = Readonly<{ Code: string; Name?: string | undefined; Description?: string | undefined }>
type Names = Readonly<{ Description?: string; Symbol?: string; IsinCode?: string }>
export type Labels<Row> = readonly (readonly [
  member: keyof Row & string,
  label: string,
  textOf?: (value: unknown) => HtmlValue,
])[]

/** An identifier, without digit grouping. */
export const idText = (value: unknown): HtmlValue =>
  value !== undefined && html`<span class="num">${String(value)}</span>`

export const moneyText = (value: unknown): HtmlValue => typeof value === 'number' && moneyFigure(value)

const priceText = ({ Value, Currency, Type }: Price): string =>
  [Type === 'Percentage' ? `${figure(Value)} %` : moneyFigure(Value), Currency].filter(Boolean).join(' ')

export const codeText = ({ Code, Name, Description }: Code): Html =>
  html`${Name ?? Code} <span class="num quiet">${Code}</span>${Description && html`<br><span class="small quiet">${Description}</span>`}`

const namesText = ({ Description, Symbol, IsinCode }: Names): Html =>
  html`<bdi>${Description}</bdi> <span class="num quiet"><bdi>${[Symbol, IsinCode].filter(Boolean).join(' ')}</bdi></span>`

/** Formats a value by its shape: a price, a date, a code, an instrument or a plain value. */
export function valueText(value: unknown, zone: string): HtmlValue {
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return figure(value)
  if (typeof value === 'string') return words(value)
  const shape = value as object
  if ('Value' in shape) return priceText(shape as Price)
  if ('Code' in shape) return codeText(shape as Code)
  if ('Date' in shape || 'Status' in shape) return statusDate(shape as DateAndStatus, zone)
  return namesText(shape as Names)
}

const statusDate = ({ Date, Status }: DateAndStatus, zone: string): Html =>
  html`${Date !== undefined && dateText(Date, zone)} ${Status !== undefined && words(Status)}`

type Facts = (readonly [label: string, value: HtmlValue])[]

export const factsIn = <Row extends object>(row: Row, labels: Labels<Row>, zone: string): Facts =>
  labels.flatMap(([member, label]) => (row[member] === undefined ? [] : [[label, valueText(row[member], zone)]]))

/** A table with a column for each member that any row has. */
export function factTable<Row extends object>(
  caption: string,
  rows: readonly Row[] | undefined,
  labels: Labels<Row>,
  zone: string,
): Html | undefined {
  if (!rows || rows.length === 0) return undefined
  const columns = labels
    .filter(([member]) => rows.some((row) => row[member] !== undefined))
    .map(([member, head, textOf], index): Column<Row> => {
      const isFigure = rows.every((row) => row[member] === undefined || typeof row[member] === 'number')
      const cell = (row: Row) => (textOf ? textOf(row[member]) : valueText(row[member], zone))
      return [head, cell, index === 0 ? 'name' : isFigure ? 'figure' : undefined]
    })
  return html`<h4>${caption}</h4>${table(caption, columns, rows)}`
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

export const bidLabels = [
  ['MinPrice', 'Minimum price'],
  ['MaxPrice', 'Maximum price'],
  ['FirstBidIncrementPrice', 'First bid increment'],
  ['LastBidIncrementPrice', 'Last bid increment'],
  ['BidIntervalRate', 'Bid interval'],
] as const

const termLabels: Labels<Event> = [
  ['StrikePrice', 'Strike price'],
  ...bidLabels,
  ['MinQuantitySought', 'Minimum quantity sought'],
  ['MaxQuantitySought', 'Maximum quantity sought'],
  ['NewBoardLotQuantity', 'New board lot'],
  ['NewDenominationQuantity', 'New denomination'],
  ['NumberofDaysAccrued', 'Days of accrued interest'],
]

const aboutLabels: Labels<Event> = [
  ['CorporateActionType', 'Participation'],
  ['EventState', 'State'],
  ['EventStatus', 'Status'],
  ['Electable', 'Electability'],
  ['InformationToComply', 'Restrictions'],
]

/** The members that no other part of the page shows. */
export function factCards(event: Event, zone: string): Html {
  const { DisplayAndFormat: names, Uic, AssetType, EventId } = event
  const terms = factsIn(event, termLabels, zone)
  const indicators = indicatorList(event.EventIndicators)
  return html`<div class="cards event-facts">
${terms.length > 0 && html`<section class="card"><h2>Terms</h2>${facts(terms)}</section>`}
<section class="card"><h2>Event details</h2>${facts([
    ['Event ID', html`<span class="num"><bdi>${EventId}</bdi></span>`],
    ['Event type', codeText({ ...event.EventType, Description: undefined })],
    ...factsIn(event, aboutLabels, zone),
    ['Election', event.ElectionStatus && electionTag(event.ElectionStatus)],
    ['Last updated', momentIn(event.UpdatedDateTime, zone)],
  ])}</section>
<section class="card"><h2>Instrument</h2>${facts([
    ['Name', names?.Description && html`<bdi>${names.Description}</bdi>`],
    ['Symbol', names?.Symbol && html`<span class="num"><bdi>${names.Symbol}</bdi></span>`],
    ['ISIN', names?.IsinCode && html`<span class="num"><bdi>${names.IsinCode}</bdi></span>`],
    ['Uic', html`<a class="num" href="/console/instruments/${Uic}/${AssetType}">${Uic}</a>`],
    ['Asset type', assetTypeName(AssetType)],
  ])}</section>
${indicators && html`<section class="card"><h2>Indicators</h2>${indicators}</section>`}
</div>`
}
