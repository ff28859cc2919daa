import { createReadStream } from 'node:fs'
import { PassThrough, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { hasCheckDigit } from '../../src/instruments/import/checks.ts'
import { type Market, marketOf } from './markets.ts'
import { type MainType, RecordMaker, type UniverseRecord } from './record.ts'

/** The columns used; a file may have more. */
type Row = Readonly<
  Record<'uic' | 'symbol' | 'name' | 'asset_type' | 'exchange' | 'mic' | 'currency' | 'isin' | 'market_cap', string>
>

const sameTypes: MainType[] = ['Etf', 'FxSpot', 'MutualFund', 'Stock', 'StockIndex']
const types = new Map<string, MainType>([
  ...sameTypes.map((type) => [type, type] as const),
  ['FxSpotCrypto', 'FxCrypto'],
])
const capNames = ['Mega Cap', 'Large Cap', 'Mid Cap', 'Small Cap', 'Micro Cap', 'Nano Cap']
const capDollars = [200e9, 10e9, 2e9, 300e6, 50e6, 1]
const unknownSize = capNames.length
const isin = /^[A-Z]{2}[A-Z0-9]{9}[0-9]$/

/** Streams the records of an instrument file (CSV with a header row, plain or gzipped). */
export async function* universeFromCsv(path: string): AsyncGenerator<UniverseRecord> {
  const csv = parse({ columns: true, bom: true })
  const unpacked = path.endsWith('.gz') ? createGunzip() : new PassThrough()
  // The last stream reports an error.
  pipeline(createReadStream(path), unpacked, csv, () => undefined)
  const maker = new RecordMaker()
  for await (const row of csv as AsyncIterable<Row>) {
    const type = types.get(row.asset_type)
    if (!type) throw new Error(`Unknown asset type ${row.asset_type} of ${row.symbol}.`)
    const market = marketOf(row.mic || row.exchange || placeOf(type))
    const symbol = symbolOf(row, type, market)
    yield* maker.records({
      uic: Number(row.uic),
      type,
      symbol,
      name: row.name.replace(/\p{Cc}/gu, '').trim() || symbol,
      market,
      currency: /^[A-Z]{3}$/i.test(row.currency) ? row.currency.toUpperCase() : market.currency,
      isin: isin.test(row.isin) && hasCheckDigit(row.isin) ? row.isin : undefined,
      size: sizeOf(row, type),
    })
  }
}

const placeOf = (type: MainType): string => ({ FxSpot: 'FX', FxCrypto: 'CRYPTO' })[type as string] ?? 'OTC'

/** AAPL:xnas, EURUSD, BTCUSD, GSPC.I (§6.1). The source has AMS:xams as AMS.AS, EURUSD as EURUSD=X or as USD/x. */
function symbolOf({ symbol, name, mic }: Row, type: MainType, market: Market): string {
  const compact = symbol.trim().replace(/\s+/g, '.')
  if (type === 'FxSpot') return name.replace('/', '') || compact.replace(/=X$/, '')
  if (type === 'FxCrypto') return compact.replace('-', '')
  if (compact.startsWith('^')) return `${compact.slice(1)}.I`
  if (!mic) return compact
  const dot = compact.lastIndexOf('.')
  return `${dot > 0 ? compact.slice(0, dot) : compact}:${market.id.toLowerCase()}`
}

/** The size class in the file, or derived from its value in dollars. Currency pairs have none and are the most liquid. */
function sizeOf({ market_cap, symbol }: Row, type: MainType): number {
  if (type === 'FxSpot') return /^(EUR|GBP|USD)/.test(symbol) ? 0 : 4
  const named = capNames.indexOf(market_cap)
  if (named >= 0) return named
  const found = capDollars.findIndex((least) => Number(market_cap) >= least)
  return found < 0 ? unknownSize : found
}
