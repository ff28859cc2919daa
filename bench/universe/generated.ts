import { hasCheckDigit } from '../../src/instruments/import/checks.ts'
import { type Market, marketOf } from './markets.ts'
import { coined, companyName, currencies, etfName, fundName, indexName } from './names.ts'
import { anyOf, below, type Random, seeded, weighted } from './random.ts'
import { type Facts, type MainType, RecordMaker, type UniverseRecord } from './record.ts'

/** The size of the real universe on which types, markets, name lengths and gaps are modelled. */
export const realSize = 268_084

const typeOf = weighted<MainType>([
  ['StockIndex', 91_181],
  ['Stock', 75_280],
  ['MutualFund', 59_220],
  ['Etf', 36_480],
  ['FxCrypto', 3_367],
  ['FxSpot', 2_556],
])

const places = (text: string) =>
  weighted(
    text.split(' ').map((entry) => [marketOf(entry.replace(/\d/g, '')), Number(entry.replace(/\D/g, ''))] as const),
  )

/** Roughly, the thousands of instruments of each market. */
const marketsOf: Record<MainType, (random: Random) => Market> = {
  Stock: places(
    'XBER78 XMUN61 XNAS50 XLON42 XBOM39 XDUS35 XJPX31 XNYS23 XSHE22 XASX20 XNSE20 XTSX17 XHKG16 XSHG16 XMIL15 BVMF15 XWBO14 XBKK13 XHAM13 XMEX12 XETR12 XASE12 XKOS11 XTSE10 XPAR10 XSTO8 XSWX8 XTAI7 XKRX7 XOSL5 XCSE4 XJSE4 XAMS2',
  ),
  StockIndex: places('NIM417 XSWX106 XSTU92 XASE71 OTC49 XETR40 SNP37 FGI15 WCB14 XNYS14 XPAR13 DJI11'),
  MutualFund: places('NAS328 XFRA61 XMAD54 XSTU34 XWBO34 XMEX32 XTSE19 XLON18'),
  Etf: places(
    'XBER56 XMUN51 XDUS48 XFRA43 XHAM33 XLON21 ARCX17 XETR16 XSWX15 XMIL13 XTSE10 XMEX7 XHAN7 XPAR5 BATS5 XNAS4',
  ),
  FxSpot: places('CCY1'),
  FxCrypto: places('CCC1'),
}

/** The weights of the sizes of companies, the largest first. */
const sizes = weighted([4, 57, 53, 98, 105, 118, 330].map((weight, size) => [size, weight] as const))
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const characters = `${letters}0123456789`
const shoutingMarkets = /^X(BER|MUN|DUS|HAM|HAN|STU)$/
const numberedMarkets = /^(XJPX|XSH[EG]|XHKG|XK(OS|RX)|XTAI|XBOM)$/

/** Yields the same instruments in every run; a company has a little more than two listings on average. */
export function* generatedUniverse(count: number = realSize): Generator<UniverseRecord> {
  const random = seeded(20_260_101)
  const maker = new RecordMaker()
  for (let uic = 1; uic <= count; uic++) yield* maker.records(factsOf(uic, random, count))
}

function factsOf(uic: number, random: Random, count: number): Facts {
  const type = typeOf(random)
  const market = marketsOf[type](random)
  const company = below(random, Math.ceil(count * 0.12))
  const isCompany = type === 'Stock'
  const { symbol, name } = namesOf(type, market, company, random)
  const hasIsin = (isCompany || type === 'Etf') && seeded(company)() < (isCompany ? 0.23 : 0.217)
  return {
    uic,
    type,
    symbol,
    name,
    market,
    currency: type === 'FxSpot' || type === 'FxCrypto' ? symbol.slice(-3) : market.currency,
    isin: hasIsin ? isinOf(isCompany ? company : count + Math.floor(uic / 2)) : undefined,
    size: type === 'FxSpot' ? 4 : isCompany ? sizes(seeded(company)) : 6,
  }
}

function namesOf(type: MainType, market: Market, company: number, random: Random): { symbol: string; name: string } {
  if (type === 'FxSpot' || type === 'FxCrypto') return pairOf(type, company, random)
  const base = baseSymbol(type, market, random)
  const symbol =
    type === 'StockIndex' && !market.mic ? `${base}.I` : market.mic ? `${base}:${market.id.toLowerCase()}` : base
  const isNameless = random() < { Stock: 0.013, Etf: 0, MutualFund: 0.027, StockIndex: 0.172 }[type]
  if (isNameless) return { symbol, name: symbol }
  const makeName = {
    Stock: () => companyName(company, shoutingMarkets.test(market.id)),
    Etf: () => etfName(random),
    MutualFund: () => fundName(random),
    StockIndex: () => indexName(random),
  }[type]
  return { symbol, name: makeName() }
}

function pairOf(type: 'FxCrypto' | 'FxSpot', coin: number, random: Random): { symbol: string; name: string } {
  const quote = anyOf(random, currencies)
  if (type === 'FxCrypto') {
    const name = coined(coin % 340)
    return { symbol: `${name.slice(0, 4).toUpperCase()}${quote}`, name: `${name}Coin ${quote}` }
  }
  const base = textOf(letters, 3, random)
  return { symbol: `${base}${quote}`, name: `${base}/${quote}` }
}

function baseSymbol(type: MainType, market: Market, random: Random): string {
  if (type === 'StockIndex') return textOf(characters, 5 + below(random, 7), random)
  if (type === 'MutualFund') return market.mic ? textOf(characters, 10, random) : `${textOf(letters, 4, random)}X`
  if (numberedMarkets.test(market.id)) return textOf('0123456789', 4 + below(random, 3), random)
  if (shoutingMarkets.test(market.id)) return textOf(characters, 3 + below(random, 2), random)
  return textOf(letters, 2 + below(random, 4), random)
}

const textOf = (alphabet: string, length: number, random: Random): string =>
  Array.from({ length }, () => alphabet.charAt(below(random, alphabet.length))).join('')

const issuers = ['US', 'DE', 'GB', 'FR', 'JP', 'CA', 'CH', 'IE', 'LU'] as const

/** Returns the ISIN of a company or fund, which is the same on every market. */
function isinOf(number: number): string {
  const body = `${issuers[number % issuers.length]}${String(number).padStart(9, '0')}`
  return Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(hasCheckDigit) ?? body
}
