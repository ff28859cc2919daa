import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { type HandlerOf, read } from './request-view.ts'

const Count = Type.Integer({ minimum: 0, description: 'The number of records.' })

const DataRevision = Type.Object(
  {
    Revision: Type.Integer({ minimum: 0, description: 'Increases with every import that changes reference data.' }),
    Exchanges: Count,
    Instruments: Count,
    OptionRoots: Count,
    OptionContracts: Count,
  },
  {
    title: 'DataRevision',
    examples: [{ Revision: 1, Exchanges: 29, Instruments: 1251, OptionRoots: 50, OptionContracts: 36106 }],
  },
)

export const getRevision = operation({
  ...read,
  path: '/x/v1/revision',
  operationId: 'getRevision',
  summary: 'Get the data revision',
  description:
    'Returns the revision of the reference data that this node serves, with the number of records of each kind, visible to ' +
    'the caller or not. Use it to see whether an import has arrived or a copy is up to date.',
  responses: { 200: DataRevision },
})

export const handleGetRevision: HandlerOf<typeof getRevision> = async ({ catalogue }, request, reply) => {
  const { revision, exchanges, counts } = catalogue.current()
  return sendWithBodyEtag(request, reply, { Revision: revision, Exchanges: exchanges.size, ...counts })
}
