import { Type } from 'typebox'
import { describe } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import { FeedOf, feed, pageOf, wholeListMaxRows, wholeListQuery } from '../../http/output/feed.ts'
import { visibleRows } from '../catalogue/search/visible.ts'
import { namesOfRow } from '../catalogue/segment.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { currencyPairs } from '../rules/currency-pairs.ts'
import { AccessQuery } from './fields/parameters.ts'
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
export const listCurrencyPairs = operation({
  ...read,
  path: '/ref/v1/currencypairs',
  operationId: 'listCurrencyPairs',
  summary: 'List currency pairs',
  description:
    'Returns the currency pairs (FxSpot) that the caller may see, with the Uic of each: each pair once, under its first ' +
    'currency, by code.',
  query: Type.Object({ ...AccessQuery.properties, ...wholeListQuery() }),
  responses: { 200: FeedOf(CurrencyPairs) },
  errors: ['NoResultFound'],
})

export const handleListCurrencyPairs: HandlerOf<typeof listCurrencyPairs> = async (deps, request, reply) => {
  const view = await viewFor(deps, request, request.query)
  const all = visiblePairs(view)
  const page = pageOf(request, `${deps.baseUrl}${listCurrencyPairs.path}`, all)
  const body = feed({ ...page, count: all.length, maxRows: wholeListMaxRows })
  return sendHashed(request, reply, view, { body: Buffer.from(JSON.stringify(body)) })
}

function visiblePairs(view: RequestView) {
  const pairs = visibleRows(view, 'FxSpot').map(({ reader, row }) => ({
    Symbol: namesOfRow(reader.segment, row).Symbol,
    Uic: reader.segment.docIds[reader.segment.rowDocs[row] as number] as number,
  }))
  return currencyPairs(pairs).slice(0, wholeListMaxRows)
}
