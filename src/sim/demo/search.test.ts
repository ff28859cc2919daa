import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessView } from '../../access/rules/visibility.ts'
import { SegmentBuilder } from '../../instruments/catalogue/build/segment-builder.ts'
import { cursorOf, findRows } from '../../instruments/catalogue/search/find-rows.ts'
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
const symbols = new Map(instruments.map((record) => [record.Uic, record.Symbol]))

function search(keywords: string, includeNonTradable = false): (string | undefined)[] {
  const criteria = { keywords, includeNonTradable, bounds: [] }
  const { rows } = findRows({ snapshot, access, now }, criteria, { top: 5, skip: 0, isCounted: false })
  return rows.map((row) => symbols.get(cursorOf(row).id))
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
