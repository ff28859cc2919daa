import { Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import type { AccessDirectory } from '../../access/directory.ts'
import { describe } from '../../core/schema.ts'
import type { Db } from '../../database/open.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { FeedOf, feed } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { listReferencePrices } from '../store/prices.ts'
import { Currency, Id } from './detail-schema.ts'

const mostUics = 200

const Query = Type.Object({
  Uics: Type.Array(Type.Integer(), {
    minItems: 1,
    maxItems: mostUics,
    description: 'Which instruments.',
    examples: [[1000]],
  }),
})

const PriceView = Type.Object(
  {
    Uic: describe(Id, 'The instrument.'),
    ReferencePrice: Type.Number({ description: 'A price of some past day, to tell what is near the money.' }),
    CurrencyCode: describe(Currency, 'The currency that the price is told in: GBX where it is pence.'),
  },
  { title: 'ReferencePrice', examples: [{ Uic: 1000, ReferencePrice: 268.5, CurrencyCode: 'USD' }] },
)

type PriceParts = Readonly<{ db: Db; catalogue: Catalogue; access: AccessDirectory }>

/** The catalogue keeps no prices, since no operation of the specification tells any: they are read where they stand. */
export function priceRoutes(api: Server, { db, catalogue, access }: PriceParts): void {
  api.get(
    '/x/v1/referenceprices',
    {
      schema: {
        operationId: 'listReferencePrices',
        summary: 'The reference prices of instruments, as far as they have one and you may see them',
        description:
          'By Uic, in order; what is unknown, invisible or without a price is left out. Option contracts have none. ' +
          'It is a figure of the imported data and not a quote.',
        tags: ['x'],
        documented: { etag: true },
        querystring: Query,
        response: { 200: FeedOf(PriceView) },
      },
    },
    async (request, reply) => {
      const view = await access.viewOf(callerOf(request), {})
      const snapshot = catalogue.current()
      const visible = request.query.Uics.filter((uic) => {
        const found = snapshot.findInstrument(uic)
        return found?.reader.visibilityTo(view)(found.doc)
      })
      const body = feed({ data: visible.length > 0 ? await listReferencePrices(db, visible) : [] })
      return sendWithBodyEtag(request, reply, body)
    },
  )
}
