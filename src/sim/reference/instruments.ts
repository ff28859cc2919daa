import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { bondRecords } from './bonds.ts'
import { currencyRecords } from './currencies.ts'
import { listedFundRecords } from './funds.ts'
import { mutualFundRecords } from './funds-mutual.ts'
import { indexCfdRecords, indexRecords } from './indices.ts'
import { stockRecords } from './stocks.ts'
import { groups } from './stocks-groups.ts'
import { otherRecords } from './stocks-others.ts'

/** The most traded first: their place is their rank. Everything else follows in the order of its list. */
const mostTraded = `
  AAPL:xnas EURUSD NVDA:xnas SPY:arcx MSFT:xnas TSLA:xnas USDJPY AMZN:xnas QQQ:xnas META:xnas US500.I GBPUSD
  GOOGL:xnas DE40.I XAUUSD BTCUSD AMD:xnas GOOG:xnas AVGO:xnas USNAS100.I NFLX:xnas SPX.I NDX.I DAX.I IWM:arcx USDCHF
  AUDUSD USDCAD PLTR:xnas BRK.B:xnys JPM:xnys NZDUSD EURGBP EURJPY US30.I DJI.I ASML:xams NOVO-B:xcse SAP:xetr
  SHEL:xlon HSBA:xlon MC:xpar NESN:xswx 7203:xtks 00700:xhkg BHP:xasx LLY:xnys V:xnys XOM:xnys GLD:arcx TLT:xnas
  SWDA:xlon CSPX:xlon VWCE:xetr EU50.I UK100.I JP225.I HK50.I SX5E.I FTSE.I N225.I HSI.I VIX.I ETHUSD XAGUSD EURCHF
  GBPJPY EURSEK EURNOK EURDKK USDDKK AZN:xlon SIE:xetr ALV:xetr ROG:xswx NOVN:xswx TTE:xpar INTC:xnas BABA:xnys
  09988:xhkg TSM:xnys COST:xnas WMT:xnas UNH:xnys JNJ:xnys BA:xnys DIS:xnys COIN:xnas MSTR:xnas EEM:arcx SLV:arcx
`
  .trim()
  .split(/\s+/)

const rankOfMostTraded = new Map(mostTraded.map((symbol, index) => [symbol, index + 1]))

/** The instruments of the demo that do not expire (contract §10). Uics never move: other demo data names them. */
export function demoInstruments(today: Temporal.PlainDate): InstrumentRecord[] {
  const lists = [
    stockRecords(),
    listedFundRecords(),
    bondRecords(today),
    mutualFundRecords(),
    currencyRecords(today),
    indexRecords(),
    indexCfdRecords(),
    otherRecords(today),
  ]
  return grouped(lists.flatMap(ranked))
}

/** Lists begin with what is traded most on each exchange. */
function ranked(records: InstrumentRecord[]): InstrumentRecord[] {
  const nextRank = new Map<string, number>()
  return records.map((record) => {
    const { ExchangeId = '', Symbol: symbol = '' } = record
    const rank = nextRank.get(ExchangeId) ?? 200
    nextRank.set(ExchangeId, rank + 5)
    return { ...record, Rank: rankOfMostTraded.get(symbol) ?? rank }
  })
}

function grouped(records: InstrumentRecord[]): InstrumentRecord[] {
  const bySymbol = new Map(records.map((record) => [record.Symbol, record]))
  const groupOf = new Map<string | undefined, InstrumentRecord[]>()
  for (const symbols of groups) {
    const members = symbols.flatMap((symbol) => bySymbol.get(symbol) ?? [])
    for (const symbol of symbols) groupOf.set(symbol, members)
  }
  return records.map((record) => {
    const members = groupOf.get(record.Symbol) ?? []
    const [primary] = members
    if (primary === undefined) return record
    const RelatedInstruments = members.filter(({ Uic }) => Uic !== record.Uic).map(instrumentKey)
    return { ...record, GroupId: primary.Uic, PrimaryListing: primary.Uic, RelatedInstruments }
  })
}

function instrumentKey({ Uic, As }: InstrumentRecord) {
  return { AssetType: As[0]?.AssetType ?? 'Stock', Uic }
}
