import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { accessView } from '../../access/rules/visibility.ts'
import { SegmentBuilder } from '../../instruments/catalogue/build/segment-builder.ts'
import { findRows } from '../../instruments/catalogue/search/find-rows.ts'
import { namesOfRow } from '../../instruments/catalogue/segment.ts'
import { Snapshot } from '../../instruments/catalogue/snapshot.ts'
import { readDemoFile } from './files.ts'
import type { Aliases } from './links.ts'
import { readDemo } from './read.ts'

const now = Date.UTC(2026, 10, 16, 12)
const { exchanges, instruments, optionRoots } = await readDemo(Temporal.PlainDate.from('2026-11-16'))
const builder = new SegmentBuilder()
for (const record of instruments) builder.addInstrument(record)
for (const record of optionRoots) builder.addRoot(record)
const snapshot = new Snapshot(1, builder.finish(1), exchanges)
const right = { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' as const }
const access = accessView([right], [{ accountKey: 'one', accountId: 'one' }])

function search(keywords: string, includeNonTradable = false): string[] {
  const criteria = { keywords, includeNonTradable, bounds: [] }
  const { rows } = findRows({ snapshot, access, now }, criteria, { top: 5, skip: 0, isCounted: false })
  return rows.map(({ reader, row }) => namesOfRow(reader.segment, row).Symbol)
}

test('people find in the demo what they look for', () => {
  const expected = {
    nestle: 'NESN:xswx',
    nestlé: 'NESN:xswx',
    '3m': 'MMM:xnys',
    'coca cola': 'KO:xnys',
    coke: 'KO:xnys',
    bitcoin: 'BTCUSD',
    'alphabet class a': 'GOOGL:xnas',
    google: 'GOOGL:xnas',
    facebook: 'META:xnas',
    's&p 500': 'US500.I',
    sp500: 'US500.I',
    'dow jones': 'US30.I',
    'nasdaq 100': 'USNAS100.I',
    dax: 'DE40.I',
    'marks & spencer': 'MKS:xlon',
    'h and m': 'HM-B:xsto',
    gold: 'XAUUSD',
  }
  for (const [keywords, symbol] of Object.entries(expected)) assert.equal(search(keywords)[0], symbol, keywords)
})

test('people find what they type first: pairs with a blank, parts of names, symbols with an exchange, other names', () => {
  const expected = {
    'eur usd': 'EURUSD',
    'usd jpy': 'USDJPY',
    'gbp usd': 'GBPUSD',
    sek: 'EURSEK',
    'total energies': 'TTE:xpar',
    totalenergies: 'TTE:xpar',
    eurostoxx: 'EU50.I',
    'nvda us': 'NVDA:xnas',
    'AAPL US': 'AAPL:xnas',
    'VOD LN': 'VOD:xlon',
    '700': '00700:xhkg',
    ger40: 'DE40.I',
    nas100: 'USNAS100.I',
    dj30: 'US30.I',
    VOD: 'VOD:xlon',
    chf: 'USDCHF',
  }
  for (const [keywords, symbol] of Object.entries(expected)) assert.equal(search(keywords)[0], symbol, keywords)
  assert.deepEqual(search('chf').slice(0, 2), ['USDCHF', 'EURCHF'])
})

test('of equal symbols that of the larger company is first', () => {
  const larger = { BA: 'xnys', BN: 'xtse', DSY: 'xpar', MRK: 'xnys', RIO: 'xlon', SU: 'xpar', T: 'xnys', VOD: 'xlon' }
  for (const [symbol, mic] of Object.entries(larger)) assert.equal(search(symbol)[0], `${symbol}:${mic}`)
})

test('at least 95 of 100 queries of the quality benchmark find first what people look for', async () => {
  const csv = await readFile(new URL('../../../bench/search/quality.csv', import.meta.url))
  const rows = parse<Record<string, string>>(csv, { columns: true })
  const missed = rows.filter(
    ({ Keywords = '', Expected = '', IncludeNonTradable }) =>
      !Expected.split(';').includes(search(Keywords, IncludeNonTradable !== '')[0] ?? ''),
  )
  assert.ok(rows.length > 300)
  assert.ok(missed.length <= rows.length * 0.05, `missed: ${missed.map(({ Keywords }) => Keywords).join(', ')}`)
})

test('with non-tradable instruments an index is found before the contract on it', () => {
  const expected = { 's&p 500': 'SPX.I', sp500: 'SPX.I', 'nasdaq 100': 'NDX.I', 'dow jones': 'DJI.I', dax: 'DAX.I' }
  for (const [keywords, symbol] of Object.entries(expected)) assert.equal(search(keywords, true)[0], symbol, keywords)
})

test('every alias finds its instrument among the first five', async () => {
  const rows = await readDemoFile<Aliases>('templates/aliases.csv')
  assert.ok(rows.length > 100)
  for (const { Symbol, Aliases } of rows)
    for (const alias of Aliases) assert.ok(search(alias, true).includes(Symbol), `${alias} for ${Symbol}`)
})
