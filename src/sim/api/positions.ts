import type { Static } from 'typebox'
import { actorOf } from '../../access/caller.ts'
import { isOperator } from '../../access/store/identities.ts'
import { FairQueue } from '../../core/async/fair-queue.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { controllerOf } from './controls.ts'
import type { SimDependencies } from './dependencies.ts'
import { PositionBody, PositionView } from './position-schema.ts'

export const putPosition = operation({
  method: 'PUT',
  path: '/x/v1/positions',
  operationId: 'setPosition',
  permission: 'changeSim',
  summary: 'Set a position',
  description:
    'Sets what an account of a user holds of an instrument. The position has no start date and replaces what the account ' +
    "had of it. Users of the caller's client and its sub-clients can be named; operators can name all. An unknown or ambiguous " +
    'name is an error that lists the choices.',
  body: PositionBody,
  responses: { 200: PositionView },
  errors: ['RequestNotAllowed'],
})

/** Each change holds a connection: one at a time per node, users in turn. */
const queue = new FairQueue(1, 20)

export async function handlePutPosition(
  deps: SimDependencies,
  request: RequestOf<typeof putPosition>,
): Promise<Static<typeof PositionView>> {
  const caller = await controllerOf(deps, request)
  const { ClientKey: clientKey } = caller
  const isWithin = async (of: string) => deps.isWithin(of, clientKey)
  const giver = (await isOperator(deps.db, caller.UserKey)) ? undefined : { clientKey, isWithin }
  // It needs the imports of all domains, which take long to load.
  const { givePosition } = await import('../positions/give.ts')
  const audit = { ...actorOf(request), app: caller.appKey }
  const give = () => givePosition(deps, request.body, { audit, giver })
  return (await queue.run(caller.UserKey, give)) as Static<typeof PositionView>
}
