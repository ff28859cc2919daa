import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { callerOf, writerOf } from '../../access/caller.ts'
import { appendAudit } from '../../audit/append.ts'
import { plusSeconds, wireTime } from '../../core/clock.ts'
import { invalid, notFound } from '../../core/problem.ts'
import { named, oneOf } from '../../core/schema.ts'
import type { Trx } from '../../database/open.ts'
import { FeedOf, feed } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { defaultDelaySeconds, type Fault, faultFaults, faultKinds, isOver } from '../rules/fault.ts'
import { listFaultsOfClient, lockAppName, putFault, removeFault } from '../store/faults.ts'
import type { SimParts } from './routes.ts'

const members = {
  Kind: named('FaultKind', oneOf(...faultKinds), 'What goes wrong.'),
  Percent: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Of how many calls of a hundred.' }),
  DelaySeconds: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 60,
      description: `How long an answer waits; of the Kind Slow only, ${defaultDelaySeconds} by default.`,
    }),
  ),
  Group: Type.Optional(
    Type.Unsafe<string>({
      title: 'ServiceGroup',
      type: 'string',
      enum: ['ref', 'ca', 'developer', 'port', 'root', 'x'],
      description: 'Only calls of this service group.',
    }),
  ),
}
const FaultBody = Type.Object(
  {
    ...members,
    ForSeconds: Type.Integer({ minimum: 1, maximum: 86_400, default: 600, description: 'In real time.' }),
  },
  { title: 'NewFault', examples: [{ Kind: 'RateLimited', Percent: 50, ForSeconds: 60 }], additionalProperties: false },
)
const FaultView = Type.Object(
  {
    AppKey: Type.String({ description: 'The app whose calls go wrong.' }),
    AppName: Type.String({ description: 'What it is called.' }),
    ...members,
    EndsAt: Type.String({ format: 'date-time', description: 'In real time.' }),
  },
  {
    title: 'Fault',
    examples: [
      {
        AppKey: '0123456789abcdef0123456789abcdef',
        AppName: 'Pocket Charts',
        Kind: 'RateLimited',
        Percent: 50,
        EndsAt: '2026-11-16T12:01:00.000000Z',
      },
    ],
  },
)
const Params = Type.Object({
  AppKey: Type.String({
    maxLength: 64,
    description: 'The key of an app of the client.',
    examples: ['0123456789abcdef0123456789abcdef'],
  }),
})
const path = '/x/v1/faults'
const tags = ['x']
const refusals = ['RequestNotAllowed', 'NoResultFound'] as const

/** What is made to go wrong for an app, so that its maker sees how it copes. */
export function faultRoutes(api: Server, parts: SimParts): void {
  const { db, clock } = parts

  api.get(
    path,
    {
      schema: {
        operationId: 'listFaults',
        summary: 'What is made to go wrong for the apps of the client',
        description: 'Those that have not ended; each app has one at most.',
        tags,
        response: { 200: FeedOf(FaultView) },
      },
    },
    async (request) => {
      const faults = await listFaultsOfClient(db, callerOf(request).ClientKey)
      const real = clock.real.now()
      return feed({ data: faults.filter((fault) => !isOver(fault, real)).map(faultView) })
    },
  )
  faultChangeRoutes(api, parts)
}

function faultChangeRoutes(api: Server, parts: SimParts): void {
  api.put(
    `${path}/:AppKey`,
    {
      schema: {
        operationId: 'putFault',
        summary: 'Makes calls of an app go wrong for a while',
        description:
          'RateLimited: 429. Unavailable: 503. Slow: the answer waits. Dropped: the connection is cut. ExpiredToken: 401. ' +
          'Calls with a token of the app meet it on every node within a second, except those of clock, faults and reset; ' +
          'such an answer has the header X-Refdesk-Fault. It takes the place of the one before.',
        tags,
        documented: { errors: refusals },
        params: Params,
        body: FaultBody,
        response: { 200: FaultView },
      },
    },
    async (request) => {
      const { body } = request
      const wrong = faultFaults(body)
      if (Object.keys(wrong).length > 0) throw invalid(wrong)
      const fault = faultAsked(request.params.AppKey, body, parts.clock.real.now())
      const appName = await change(parts, request, fault.appKey, async (trx) => {
        await putFault(trx, fault)
        const { kind, percent, group, delaySeconds } = fault
        return { kind, percent, ...(group && { group }), ...(delaySeconds && { delaySeconds }) }
      })
      return faultView({ ...fault, appName })
    },
  )

  api.delete(
    `${path}/:AppKey`,
    {
      schema: {
        operationId: 'removeFault',
        summary: 'Lets calls of an app be answered as ever',
        description: 'On every node within a second. Where nothing was made to go wrong, nothing changes.',
        tags,
        documented: { errors: refusals },
        params: Params,
      },
    },
    async (request, reply) => {
      const { AppKey } = request.params
      await change(parts, request, AppKey, async (trx) => ((await removeFault(trx, AppKey)) ? { removed: true } : {}))
      return reply.code(204).send()
    },
  )
}

type Done = Readonly<Record<string, string | number | boolean>>

/** A change for an app of the caller's client, with its line in the log; this node knows of it when it answers. Tells the
 *  name of the app. */
async function change(
  { db, clock, feed }: SimParts,
  request: FastifyRequest,
  appKey: string,
  work: (trx: Trx) => Promise<Done>,
): Promise<string> {
  const { ClientKey, UserKey, sessionId } = writerOf(request)
  const appName = await db.transaction().execute(async (trx) => {
    const name = await lockAppName(trx, ClientKey, appKey)
    if (name === undefined) throw notFound(`App ${appKey}`)
    const detail = await work(trx)
    const who = { user: UserKey, session: sessionId, app: appKey, address: request.ip }
    if (Object.keys(detail).length > 0)
      await appendAudit(trx, { at: clock.now(), kind: 'FaultChanged', ...who, detail })
    return name
  })
  await feed.poll()
  return appName
}

function faultAsked(appKey: string, body: Static<typeof FaultBody>, real: Temporal.Instant): Fault {
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
