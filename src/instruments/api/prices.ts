import { Type } from 'typebox'
import { describe } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { FeedOf, feed } from '../../http/output/feed.ts'
import { readReferencePrices } from '../store/prices.ts'
import { type HandlerOf, read, viewFor } from './request-view.ts'
import { ReferencePrice } from './schema.ts'

/** Read from the database: the catalogue has prices without their currency, to find the option near the money. */
export const listReferencePrices = operation({
  ...read,
  path: '/x/v1/referenceprices',
  operationId: 'listReferencePrices',
  summary: 'List reference prices',
  description:
    'Returns the reference prices of instruments, by Uic. Omits instruments that are unknown, invisible to the caller or ' +
    'without a price; option contracts have none. The price is imported data, not a quote.',
  query: Type.Object({
    Uics: describe(Type.Array(Type.Integer(), { minItems: 1, maxItems: 200 }), 'The Uics of the instruments.', {
      examples: [[1000]],
    }),
  }),
  responses: { 200: FeedOf(ReferencePrice) },
})

export const handleListReferencePrices: HandlerOf<typeof listReferencePrices> = async (deps, request, reply) => {
  const { snapshot, access } = await viewFor(deps, request)
  const visible = request.query.Uics.filter((uic) => {
    const found = snapshot.findInstrument(uic)
    return found?.reader.visibilityTo(access)(found.index)
  })
  const body = feed({ data: visible.length > 0 ? await readReferencePrices(deps.db, visible) : [] })
  return sendWithBodyEtag(request, reply, body)
}
