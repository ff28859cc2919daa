import type { Db } from '../../database/open.ts'
import type { InstrumentRecord } from '../import/schema.ts'

export type ReferencePrice = Readonly<{ Uic: number; ReferencePrice: number; CurrencyCode: string }>

/** The prices of those that have one, by Uic. Whole documents are read, since PostgreSQL takes longer to look into one
 *  than to send it. */
export async function readReferencePrices(db: Db, uics: readonly number[]): Promise<ReferencePrice[]> {
  const rows = await db.selectFrom('instrument').select('document').where('uic', 'in', uics).orderBy('uic').execute()
  return rows.flatMap(({ document }) => priceOf(document as InstrumentRecord))
}

/** The price is of the main asset type, the first of As; what its entry says wins over the record. */
function priceOf({ Uic, ReferencePrice, As: [main], ...record }: InstrumentRecord): ReferencePrice[] {
  const { CurrencyCode, PriceCurrency = CurrencyCode } = { ...record, ...main }
  return ReferencePrice === undefined || PriceCurrency === undefined
    ? []
    : [{ Uic, ReferencePrice, CurrencyCode: PriceCurrency }]
}
