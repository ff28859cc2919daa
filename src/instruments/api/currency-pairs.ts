import { callerOf } from '../../access/caller.ts'
import type { AccessDirectory } from '../../access/directory.ts'
import type { AccessView } from '../../access/rules/visibility.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { visibleRows } from '../catalogue/search/visible.ts'
import type { Snapshot } from '../catalogue/snapshot.ts'
import { namesOfRow } from '../catalogue/write/contract-writer.ts'
import { currencyPairs } from '../rules/currency-pairs.ts'
import { CurrencyPairsList } from './exchange-schema.ts'

/** Which currencies are traded against each other, and under which number. */
export function currencyPairRoutes(api: Server, catalogue: Catalogue, access: AccessDirectory): void {
  api.get(
    '/ref/v1/currencypairs',
    {
      schema: {
        operationId: 'listCurrencyPairs',
        summary: 'The pairs of currencies',
        description:
          'The currency pairs (FxSpot) that you may see, by their first currency: to find the Uic of a pair without a search.',
        documented: { etag: true },
        tags: ['ref'],
        response: { 200: CurrencyPairsList },
      },
    },
    async (request, reply) => {
      const view = await access.viewOf(callerOf(request), {})
      const snapshot = catalogue.current()
      reply.header('content-type', 'application/json; charset=utf-8')
      const body = snapshot.answers.get(`currencypairs ${view.signature}`, () => pairsAnswer(snapshot, view))
      return sendWithBodyEtag(request, reply, body)
    },
  )
}

function pairsAnswer(snapshot: Snapshot, view: AccessView): Buffer {
  const pairs = visibleRows(snapshot, view, 'FxSpot').map(({ reader, row }) => ({
    Symbol: namesOfRow(reader, row).Symbol,
    Uic: reader.segment.docIds[reader.segment.rowDocs[row] as number] as number,
  }))
  return Buffer.from(JSON.stringify({ Data: currencyPairs(pairs) }))
}
