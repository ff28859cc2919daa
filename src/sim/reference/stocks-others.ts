import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { type ListingMore, listing } from './stocks.ts'
import type { MarketId } from './stocks-markets.ts'
import { rightsTerms, stockCfdTerms, warrantTerms } from './terms.ts'

/** [Uic, exchange, ticker, name, ISIN, price, what is special]. */
type OtherRow = readonly [number, MarketId, string, string, string, number, ListingMore?]

/** [Uic, exchange, ticker, company, ISIN, price, strike, last day]. */
type CompanyWarrantRow = readonly [number, MarketId, string, string, string, number, string, string]

/** Issued by the company on its own shares, Uics 4500 to 4549. */
const companyWarrants: CompanyWarrantRow[] = [
  [4500, 'NYSE', 'OXY.WS', 'Occidental Petroleum Corp.', 'US6745991629', 19.6, '22 USD', '2027-08-03'],
  [4501, 'NASDAQ', 'HTZWW', 'Hertz Global Holdings Inc.', 'US42806J1482', 3.1, '13.80 USD', '2051-06-30'],
]

/** Free allotment rights of the dividends that Spanish companies pay in shares or cash, Uics 4550 to 4599. */
const rights: OtherRow[] = [
  [4550, 'BME', 'IBE.D', 'Iberdrola SA Free Allotment Right', '', 0.412, { country: 'ES' }],
  [
    4551,
    'BME',
    'ACS.D',
    'ACS Actividades de Construccion y Servicios SA Free Allotment Right',
    '',
    1.46,
    { country: 'ES' },
  ],
]

type WarrantRow = readonly [
  uic: number,
  side: 'Call' | 'Put',
  on: string,
  strike: number,
  underlying: number,
  price: number,
]

/** As banks issue them in Paris, made for the demo, Uics 4600 to 4649. */
const bankWarrants: WarrantRow[] = [
  [4600, 'Call', 'LVMH', 650, 1500, 0.94],
  [4601, 'Put', 'LVMH', 550, 1500, 0.61],
  [4602, 'Call', 'TotalEnergies', 60, 1503, 0.22],
  [4603, 'Call', 'Airbus', 240, 1505, 0.73],
]

export function otherRecords(today: Temporal.PlainDate): InstrumentRecord[] {
  return [
    ...companyWarrants.filter(([, , , , , , , lastDay]) => lastDay >= today.toString()).map(companyWarrant),
    ...rights.map(right),
    ...bankWarrants.map((row) => bankWarrant(row, today)),
  ]
}

function listed([Uic, exchange, ticker, name, Isin, price, more = {}]: OtherRow) {
  return listing(exchange, { Uic, ticker, name, Isin, price, ...more })
}

function companyWarrant(row: CompanyWarrantRow): InstrumentRecord {
  const [Uic, exchange, ticker, company, Isin, price, strike, lastDay] = row
  return {
    ...listed([Uic, exchange, ticker, `${company} Warrant ${strike} ${lastDay}`, Isin, price]),
    DisplayHint: 'Warrant',
    As: [
      { AssetType: 'CompanyWarrant', ...warrantTerms },
      { AssetType: 'CfdOnCompanyWarrant', ...stockCfdTerms },
    ],
  }
}

function right(row: OtherRow): InstrumentRecord {
  return { ...listed(row), As: [{ AssetType: 'Rights', ...rightsTerms }] }
}

/** They run until the end of next year. */
function bankWarrant([Uic, side, on, strike, UnderlyingUic, price]: WarrantRow, today: Temporal.PlainDate) {
  const name = `${side} Warrant ${on} ${strike} EUR Dec ${today.year + 1}`
  const ticker = `W${side.charAt(0)}${Uic}`
  return {
    ...listed([Uic, 'PAR', ticker, name, '', price, { country: 'FR' }]),
    UnderlyingAssetType: 'Stock',
    UnderlyingUic,
    As: [{ AssetType: 'Warrant', ...warrantTerms, ExerciseStyle: 'American', SettlementStyle: 'CashDelivery' }],
  } satisfies InstrumentRecord
}
