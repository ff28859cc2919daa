import { Type } from 'typebox'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'

const Count = Type.Integer({ minimum: 0, description: 'How many there are.' })

/** What the node serves right now (contract §1). Counts are of all there is, not of what the caller may see. */
export const DataRevision = Type.Object(
  {
    Revision: Type.Integer({ minimum: 0, description: 'Raised by every import that changes reference data.' }),
    Exchanges: Count,
    Instruments: Count,
    OptionRoots: Count,
    OptionContracts: Count,
  },
  {
    title: 'DataRevision',
    examples: [{ Revision: 1, Exchanges: 29, Instruments: 1249, OptionRoots: 50, OptionContracts: 36106 }],
  },
)

export function revisionRoutes(api: Server, catalogue: Catalogue): void {
  api.get(
    '/x/v1/revision',
    {
      schema: {
        operationId: 'getRevision',
        summary: 'The revision of the reference data that this node serves, and how much there is',
        description:
          'To see whether an import has arrived, or whether a copy of the data is still the present one. Counts are of all there ' +
          'is, not of what the caller may see.',
        documented: { etag: true },
        tags: ['x'],
        response: { 200: DataRevision },
      },
    },
    async (request, reply) => {
      const { revision, exchanges, counts } = catalogue.current()
      const body = { Revision: revision, Exchanges: exchanges.size, ...counts }
      return sendWithBodyEtag(request, reply, body)
    },
  )
}
