import type { Db } from '../../database/open.ts'
import type { InstrumentRecord } from '../import/schema.ts'

export type ReferencePrice = Readonly<{ Uic: number; ReferencePrice: number; CurrencyCode: string }>

/** The prices of the instruments that have one, by Uic. Reads whole documents, which is faster than extracting fields. */
export async function readReferencePrices(db: Db, uics: readonly number[]): Promise<ReferencePrice[]> {
  const rows = await db.selectFrom('instrument').select('document').where('uic', 'in', uics).orderBy('uic').execute()
  return rows.flatMap(({ document }) => priceOf(document as InstrumentRecord))
}

/** The currency is that of the main asset type. */
function priceOf({ Uic, ReferencePrice, As: [main], ...record }: InstrumentRecord): ReferencePrice[] {
  const { CurrencyCode, PriceCurrency = CurrencyCode } = { ...record, ...main }
  return ReferencePrice === undefined || PriceCurrency === undefined
    ? []
    : [{ Uic, ReferencePrice, CurrencyCode: PriceCurrency }]
}
