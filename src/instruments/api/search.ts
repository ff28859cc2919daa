import { operation } from '../../http/operation.ts'
import { FeedOf } from '../../http/output/feed.ts'
import { type Criteria, type FoundRow, findRows, isMatch, type Page } from '../catalogue/search/find-rows.ts'
import type { SearchCursor } from '../catalogue/search/row-taker.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { JsonBuffer } from '../catalogue/write/json-buffer.ts'
import { RowWriter } from '../catalogue/write/row-writer.ts'
import { complexity, typesAndHint, valueChangeBounds } from '../rules/search-criteria.ts'
import { searchCursor } from './cursor.ts'
import { displayHints } from './fields/enums.ts'
import { SearchQuery } from './fields/parameters.ts'
import {
  type FeedLinks,
  type HandlerOf,
  nextPageLink,
  openFeed,
  readInstruments,
  sendTagged,
  withView,
} from './request-view.ts'
import { InstrumentSummary } from './schema.ts'

export const searchInstruments = operation({
  ...readInstruments,
  path: '/ref/v1/instruments',
  operationId: 'searchInstruments',
  summary: 'Search instruments and option roots',
  description:
    'Returns the instruments and option roots that match keywords, asset type, exchange and other criteria. Best matches ' +
    'come first: exact symbol, ISIN, start of a symbol, word of the description; more liquid ones first among equals. ' +
    'A keyword that matches nothing is retried with one typo corrected. Continue with the details of an instrument or the ' +
    'option space of an option root.',
  query: SearchQuery,
  responses: { 200: FeedOf(InstrumentSummary) },
  errors: ['InvalidSearchCriteriaProvided', 'MomentExpired', 'NoResultFound'],
})

type SearchParameters = Parameters<HandlerOf<typeof searchInstruments>>[1]['query']

/** What a request of operation 1 searches for, and which page of it. */
export function requestedSearch(query: SearchParameters): { criteria: Criteria; page: Page } {
  const { assetTypes, hint } = typesAndHint(query, displayHints)
  const criteria = {
    keywords: query.Keywords?.trim() || undefined,
    assetTypes: assetTypes && [...assetTypes],
    exchangeId: query.ExchangeId,
    isComplex: complexity(query.Class),
    displayHint: hint,
    canParticipateInMultiLegOrder: query.CanParticipateInMultiLegOrder,
    includeNonTradable: query.IncludeNonTradable,
    uics: query.Uics,
    bounds: valueChangeBounds(query),
  }
  const page = {
    top: query.$top,
    skip: query.$skip,
    after: searchCursor.parse(query.$skiptoken),
    isCounted: query.$inlinecount === 'AllPages',
  }
  return { criteria, page }
}

export const handleSearchInstruments: HandlerOf<typeof searchInstruments> = (deps, request, reply) => {
  const { query } = request
  const { criteria, page } = requestedSearch(query)
  const nextLink = nextPageLink(`${deps.baseUrl}${searchInstruments.path}`, request, searchCursor.format)
  const onEmpty = () => deps.addHelp(request, reply)
  return withView(deps, request, query, (view) =>
    sendTagged(deps, request, reply, view, () => searchBody(view, criteria, page, { nextLink, onEmpty })),
  )
}

export function searchBody(view: RequestView, criteria: Criteria, page: Page, links: FeedLinks<SearchCursor>): Buffer {
  const { rows, isKeywordSearch, next, count } = findRows(view, criteria, page)
  if (rows.length === 0) links.onEmpty?.()
  const writer = new RowWriter(view)
  const out = openFeed(new JsonBuffer(), links, count, next)
  for (let index = 0; index < rows.length; index++) {
    const found = rows[index] as FoundRow
    if (index > 0) out.comma()
    writer.summary(out, found.reader, found.row, isMatch(found, isKeywordSearch))
  }
  return out.ascii(']}').finish()
}
