import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { actorOf, callerOf } from '../../access/caller.ts'
import { type AuditEntry, appendAudit } from '../../audit/append.ts'
import { plusSeconds, wireTime } from '../../core/clock.ts'
import { invalid, notFound } from '../../core/problem.ts'
import type { Trx } from '../../database/open.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf, feed } from '../../http/output/feed.ts'
import { checkFault, defaultDelaySeconds, type Fault, hasEnded } from '../rules/fault.ts'
import { deleteFault, listFaultsOfClient, lockAppName, writeFault } from '../store/faults.ts'
import { controllerOf } from './controls.ts'
import type { SimDependencies } from './dependencies.ts'
import { FaultBody, FaultParams, FaultView } from './schema.ts'

const path = '/x/v1/faults'
const errors = ['RequestNotAllowed', 'NoResultFound'] as const

export const listFaults = operation({
  method: 'GET',
  path,
  operationId: 'listFaults',
  summary: 'List injected faults',
  description: "Returns the active faults of the client's apps; an app has one at most.",
  responses: { 200: FeedOf(FaultView) },
})

export const putFault = operation({
  method: 'PUT',
  path: `${path}/:AppKey`,
  operationId: 'putFault',
  permission: 'changeSim',
  summary: 'Inject a fault',
  description:
    'Makes requests of an app fail for a while. RateLimited: 429. Unavailable: 503. Slow: the response is delayed. Dropped: the ' +
    'connection is closed. ExpiredToken: 401. Affects requests with a token of the app on every node within a second, except ' +
    'those to clock, faults, reset and snapshots; affected responses have the header X-Refdesk-Fault. Replaces the previous fault of the app.',
  params: FaultParams,
  body: FaultBody,
  responses: { 200: FaultView },
  errors,
})

export const removeFault = operation({
  method: 'DELETE',
  path: `${path}/:AppKey`,
  operationId: 'removeFault',
  permission: 'changeSim',
  summary: 'Remove an injected fault',
  description: 'Ends the fault of an app on every node within a second. Has no effect if there is none.',
  params: FaultParams,
  errors,
})

export async function handleListFaults({ db, clock }: SimDependencies, request: FastifyRequest) {
  const faults = await listFaultsOfClient(db, callerOf(request).ClientKey)
  const real = clock.real.now()
  return feed({ data: faults.filter((fault) => !hasEnded(fault, real)).map(faultView) })
}

export async function handlePutFault(deps: SimDependencies, request: RequestOf<typeof putFault>) {
  const { body } = request
  const errors = checkFault(body)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const fault = faultOf(request.params.AppKey, body, deps.clock.real.now())
  const appName = await change(deps, request, fault.appKey, async (trx) => {
    await writeFault(trx, fault)
    const { kind, percent, group, delaySeconds } = fault
    return { kind, percent, ...(group && { group }), ...(delaySeconds && { delaySeconds }) }
  })
  return faultView({ ...fault, appName })
}

export async function handleRemoveFault(
  deps: SimDependencies,
  request: RequestOf<typeof removeFault>,
  reply: FastifyReply,
) {
  const { AppKey } = request.params
  await change(deps, request, AppKey, async (trx) => ((await deleteFault(trx, AppKey)) ? { removed: true } : {}))
  return reply.code(204).send()
}

/** Changes the fault of one of the client's apps and writes the audit log. This node follows before it responds.
 *  Returns the name of the app. */
async function change(
  deps: SimDependencies,
  request: FastifyRequest,
  appKey: string,
  work: (trx: Trx) => Promise<NonNullable<AuditEntry['detail']>>,
): Promise<string> {
  const { db, clock, feed } = deps
  const { ClientKey } = await controllerOf(deps, request)
  const appName = await db.transaction().execute(async (trx) => {
    const name = await lockAppName(trx, ClientKey, appKey)
    if (name === undefined) throw notFound(`App ${appKey}`)
    const detail = await work(trx)
    if (Object.keys(detail).length > 0)
      await appendAudit(trx, { at: clock.now(), kind: 'FaultChanged', ...actorOf(request), app: appKey, detail })
    return name
  })
  await feed.poll()
  return appName
}

function faultOf(appKey: string, body: Static<typeof FaultBody>, real: Temporal.Instant): Fault {
  return {
    appKey,
    kind: body.Kind,
    percent: body.Percent,
    delaySeconds: body.Kind === 'Slow' ? (body.DelaySeconds ?? defaultDelaySeconds) : undefined,
    group: body.Group,
    endsAt: plusSeconds(real, body.ForSeconds),
  }
}

function faultView(fault: Fault & { appName: string }): Static<typeof FaultView> {
  return {
    AppKey: fault.appKey,
    AppName: fault.appName,
    Kind: fault.kind,
    Percent: fault.percent,
    ...(fault.delaySeconds !== undefined && { DelaySeconds: fault.delaySeconds }),
    ...(fault.group !== undefined && { Group: fault.group }),
    EndsAt: wireTime(fault.endsAt),
  }
}
