import { mapInParts } from '../../core/async/in-parts.ts'
import { epochDay } from '../../core/time/days.ts'
import type { Shape } from '../../core/validation/shape.ts'
import { Expander } from '../../data/import/expand.ts'
import { eventKind, positionKind } from '../../events/import/kinds.ts'
import type { EventRecord, PositionRecord } from '../../events/import/schema.ts'
import { calendarKind, exchangeKind, instrumentKind } from '../../instruments/import/kinds.ts'
import type {
  CalendarRecord,
  ExchangeRecord,
  InstrumentRecord,
  OptionRootRecord,
} from '../../instruments/import/schema.ts'
import { listDemoFiles, readDemoFile } from './files.ts'
import { type FuturesTemplate, futuresMonths, futuresOf } from './futures.ts'
import { type Aliases, type Group, withAliases, withGroups, withIndexCfds, withOptionRoots } from './links.ts'
import { calendarOf, exchangeOf, expiryClosedDays, type Markets, readMarkets } from './market.ts'
import { futureSymbol, monthNames } from './months.ts'
import { type OptionTemplate, optionRootOf } from './option-roots.ts'

const instrumentFiles = [
  'stocks.csv',
  'funds.csv',
  'bonds.csv',
  'mutual-funds.csv',
  'currencies.ndjson',
  'indices.csv',
  'index-cfds.csv',
  'warrants-and-rights.csv',
  'templates/warrants.csv',
]
const kinds = [calendarKind, exchangeKind, instrumentKind, positionKind, eventKind]
const schemas = new Map(kinds.map(({ name, schema }) => [name, schema as Shape]))

/** All calendars, exchanges, instruments and events of the demo, as of a day (§10). */
export type Demo = Readonly<{
  calendars: CalendarRecord[]
  exchanges: ExchangeRecord[]
  instruments: InstrumentRecord[]
  optionRoots: OptionRootRecord[]
  positions: PositionRecord[]
  events: EventRecord[]
}>

/** Other requests are served after so many lines of a file and templates: a reset reads the demo in a serving node. */
const [linesAtOnce, templatesAtOnce] = [50, 4]

/** Reads the files of demo/ and generates what their templates describe. */
export async function readDemo(today: Temporal.PlainDate): Promise<Demo> {
  const expander = new Expander({ schemas, today })
  const expand = async <Row>(file: string): Promise<Row[]> =>
    (
      await mapInParts(await readDemoFile(file), linesAtOnce, (record) => {
        const { kind: _, ...members } = expander.expand(record) ?? {}
        return Object.keys(members).length > 0 ? [members as Row] : []
      })
    ).flat()
  const markets = await readMarkets(today)
  for (const calendar of markets.calendars) expander.expand({ ...calendar, kind: 'calendar' })
  for (const exchange of markets.exchanges) expander.expand({ ...exchange, kind: 'exchange' })
  await expand('terms.ndjson')
  const listed = (await inTurn(instrumentFiles, expand<InstrumentRecord>)).flatMap((record) => current(record, today))
  const groups = await readDemoFile<Group>('templates/groups.ndjson')
  const aliases = await readDemoFile<Aliases>('templates/aliases.csv')
  const cash = withIndexCfds(withGroups(withAliases(listed, aliases), groups))
  const market = { today: epochDay(today.toString()), ...markets }
  const futures = await makeFutures(await expand('templates/futures.ndjson'), cash, market)
  const instruments = [...cash, ...futures.instruments]
  const optionRoots = await makeOptionRoots(await expand('templates/option-roots.ndjson'), instruments, futures, market)
  return {
    ...markets,
    ...withOptionRoots(instruments, optionRoots),
    positions: await expand('positions.ndjson'),
    events: await inTurn(await listDemoFiles('events'), expand<EventRecord>),
  }
}

async function inTurn<Row>(files: readonly string[], read: (file: string) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (const file of files) rows.push(...(await read(file)))
  return rows
}

const endForm = /(\d{4}-\d\d-\d\d|\d\d (\w{3}) \d{4})$/

/** Leaves out bonds and warrants that have ended, which their names say, and names the year in which warrants end. */
function current(record: InstrumentRecord, today: Temporal.PlainDate): InstrumentRecord[] {
  const { Description = '' } = record
  const [end = '9999-12-31'] = endForm.exec(Description) ?? []
  if (Temporal.PlainDate.compare(parseEnd(end), today) < 0) return []
  return [{ ...record, Description: Description.replace('{next year}', String(today.year + 1)) }]
}

/** `2051-06-30` or `15 May 2030`. */
function parseEnd(text: string): Temporal.PlainDate {
  const [day = '', month = '', year] = text.split(' ')
  if (year === undefined) return Temporal.PlainDate.from(text)
  return Temporal.PlainDate.from({ year: Number(year), month: monthNames.indexOf(month) + 1, day: Number(day) })
}

type Market = Markets & Readonly<{ today: number }>
type Futures = Readonly<{ templates: readonly FuturesTemplate[]; instruments: InstrumentRecord[] }>

async function makeFutures(
  templates: FuturesTemplate[],
  cash: readonly InstrumentRecord[],
  market: Market,
): Promise<Futures> {
  const bySymbol = new Map(cash.map((record) => [record.Symbol, record]))
  const instruments = await mapInParts(templates, templatesAtOnce, (template) => {
    const { ExchangeId, Mic } = exchangeOf(market, template.ExchangeId)
    const calendar = calendarOf(market, template)
    const setting = { template, calendar, closed: expiryClosedDays(market, template), today: market.today }
    const underlying = template.Underlying === undefined ? undefined : bySymbol.get(template.Underlying)
    return futuresOf(setting, (Mic ?? ExchangeId).toLowerCase(), underlying)
  })
  return { templates, instruments: instruments.flat() }
}

async function makeOptionRoots(
  templates: readonly OptionTemplate[],
  instruments: readonly InstrumentRecord[],
  futures: Futures,
  market: Market,
): Promise<OptionRootRecord[]> {
  const { today } = market
  const bySymbol = new Map(instruments.map((record) => [record.Symbol, record]))
  return mapInParts(templates, templatesAtOnce, (template) => {
    const exchange = exchangeOf(market, template.ExchangeId)
    const underlying = bySymbol.get(template.Underlying)
    if (!underlying) throw new Error(`The demo has options on ${template.Underlying}, but no such instrument.`)
    const closed = expiryClosedDays(market, template)
    const calendar = calendarOf(market, template)
    const product = futures.templates.find(({ Code }) => Code === underlying.BaseIdentifier)
    const months = product ? futuresMonths({ template: product, closed, today }) : []
    const deliveredBy = (month: number, expiry: number) => {
      const delivered = months.find((future) => future.month >= month && future.expiry >= expiry)
      return delivered && product && bySymbol.get(futureSymbol(product.Code, delivered.month))
    }
    return optionRootOf(template, { today, exchange, calendar, closed, underlying, deliveredBy })
  })
}
