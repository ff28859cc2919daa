import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { closedEndFunds, listedCommodities, listedNotes } from './funds-etc.ts'
import { otherFunds, ucitsFunds } from './funds-ucits.ts'
import { unitedStatesFunds } from './funds-us.ts'
import { type ListingMore, listing, valueChanges } from './stocks.ts'
import type { MarketId } from './stocks-markets.ts'
import { stockCfdTerms, stockTerms } from './terms.ts'

type ListedFundMore = ListingMore & { complex?: true }

/** [Uic, exchange, ticker, name, ISIN, price, what is special]. */
export type ListedFundRow = readonly [number, MarketId, string, string, string, number, ListedFundMore?]

type FundType = 'Etc' | 'Etf' | 'Etn' | 'Fund'

export function listedFundRecords(): InstrumentRecord[] {
  const rowsByType: Record<FundType, ListedFundRow[]> = {
    Etf: [...unitedStatesFunds, ...ucitsFunds, ...otherFunds],
    Etc: listedCommodities,
    Etn: listedNotes,
    Fund: closedEndFunds,
  }
  return Object.entries(rowsByType).flatMap(([type, rows]) =>
    rows.map((row) => listedFundRecord(type as FundType, row)),
  )
}

function listedFundRecord(type: FundType, row: ListedFundRow): InstrumentRecord {
  const [Uic, exchange, ticker, name, Isin, price, more = {}] = row
  return {
    ...listing(exchange, { Uic, ticker, name, Isin, price, ...more }),
    ...(type === 'Etf' || type === 'Etc' ? valueChanges(Uic) : {}),
    DisplayHint: type,
    As: [
      { AssetType: type, ...stockTerms, IsComplex: type === 'Etn' || more.complex === true },
      { AssetType: `CfdOn${type}`, ...stockCfdTerms },
    ],
  }
}
