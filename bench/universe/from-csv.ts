import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { isIsin } from './isin.ts'
import { type Market, marketOf } from './markets.ts'
import { type MainType, RecordMaker, type UniverseRecord } from './record.ts'

/** The columns used; a file may have more. */
type Row = Readonly<
  Record<'uic' | 'symbol' | 'name' | 'asset_type' | 'exchange' | 'mic' | 'currency' | 'isin' | 'market_cap', string>
>

const types: Record<string, MainType> = {
  Etf: 'Etf',
  FxSpot: 'FxSpot',
  FxSpotCrypto: 'FxCrypto',
  MutualFund: 'MutualFund',
  Stock: 'Stock',
  StockIndex: 'StockIndex',
}
const capNames = ['Mega Cap', 'Large Cap', 'Mid Cap', 'Small Cap', 'Micro Cap', 'Nano Cap']
const capDollars = [200e9, 10e9, 2e9, 300e6, 50e6, 1]
const unknownSize = capNames.length

/** Streams the records of an instrument file (CSV with a header row, plain or gzipped). */
export async function* universeFromCsv(path: string): AsyncGenerator<UniverseRecord> {
  const csv = parse({ columns: true, bom: true })
  const source = createReadStream(path)
  const ended = () => undefined // The last stream reports an error.
  if (path.endsWith('.gz')) pipeline(source, createGunzip(), csv, ended)
  else pipeline(source, csv, ended)
  const maker = new RecordMaker()
  for await (const row of csv as AsyncIterable<Row>) {
    const type = types[row.asset_type]
    if (!type) throw new Error(`Unknown asset type ${row.asset_type} of ${row.symbol}.`)
    const market = marketOf(row.mic || row.exchange || placeOf(type))
    const symbol = symbolOf(row, type, market)
    yield* maker.records({
      uic: Number(row.uic),
      type,
      symbol,
      name: row.name.replace(/\p{Cc}/gu, '').trim() || symbol,
      market,
      currency: currencyOf(row, market),
      isin: isIsin(row.isin) ? row.isin : undefined,
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

function currencyOf({ currency }: Row, market: Market): string {
  const code = currency.toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : market.currency
}

/** The size class in the file, or derived from its value in dollars. Currency pairs have none and are the most liquid. */
function sizeOf({ market_cap, symbol }: Row, type: MainType): number {
  if (type === 'FxSpot') return /^(EUR|GBP|USD)/.test(symbol) ? 0 : 4
  const named = capNames.indexOf(market_cap)
  if (named >= 0) return named
  const found = capDollars.findIndex((least) => Number(market_cap) >= least)
  return found < 0 ? unknownSize : found
}
