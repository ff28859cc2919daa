import { Type } from 'typebox'
import { describe } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import { visibleRows } from '../catalogue/search/visible.ts'
import { namesOfRow } from '../catalogue/segment.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { currencyPairs } from '../rules/currency-pairs.ts'
import { Currency, Id } from './fields/values.ts'
import { type HandlerOf, read, sendHashed, viewFor } from './request-view.ts'

const RelatedCurrency = Type.Object(
  {
    CurrencyCode: describe(Currency, 'The second currency of the pair.'),
    Uic: describe(Id, 'The Uic of the pair, whose asset type is FxSpot.'),
  },
  { title: 'RelatedCurrency' },
)
const CurrencyPairs = Type.Object(
  {
    CurrencyCode: describe(Currency, 'The first currency of the pairs.'),
    RelatedCurrencies: Type.Array(RelatedCurrency, { description: 'The currencies it is traded against, by code.' }),
  },
  {
    title: 'CurrencyPairs',
    examples: [{ CurrencyCode: 'EUR', RelatedCurrencies: [{ CurrencyCode: 'USD', Uic: 4000 }] }],
  },
)
const CurrencyPairsList = Type.Object(
  { Data: Type.Array(CurrencyPairs, { description: 'Each pair once, under its first currency, by code.' }) },
  { title: 'CurrencyPairsList' },
)

export const listCurrencyPairs = operation({
  ...read,
  path: '/ref/v1/currencypairs',
  operationId: 'listCurrencyPairs',
  summary: 'List currency pairs',
  description: 'Returns the currency pairs (FxSpot) that the caller may see, with the Uic of each, by first currency.',
  responses: { 200: CurrencyPairsList },
})

export const handleListCurrencyPairs: HandlerOf<typeof listCurrencyPairs> = async (deps, request, reply) => {
  const view = await viewFor(deps, request)
  const key = `currencypairs ${view.access.signature}`
  const body = view.snapshot.responses.get(key, () => currencyPairsBody(view))
  return sendHashed(request, reply, body)
}

function currencyPairsBody(view: RequestView): Buffer {
  const pairs = visibleRows(view, 'FxSpot').map(({ reader, row }) => ({
    Symbol: namesOfRow(reader.segment, row).Symbol,
    Uic: reader.segment.docIds[reader.segment.rowDocs[row] as number] as number,
  }))
  return Buffer.from(JSON.stringify({ Data: currencyPairs(pairs) }))
}
