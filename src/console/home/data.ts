import type { Due } from '../../events/rules/status/status.ts'
import { sourceOf } from '../../http/in-process.ts'
import { readApps, readSecretUses } from '../apps/app-data.ts'
import { secretSummary } from '../apps/pages/model.ts'
import { readDecisions } from '../events/event-data.ts'
import { type LoggedRequest, apiPath as requestsPath } from '../requests/data.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { Tone } from '../shared/elements.ts'
import type { ChainId } from './code-samples.ts'
import { type Traffic, trafficOf } from './traffic.ts'

export type Revision = Readonly<
  Record<'Revision' | 'Exchanges' | 'Instruments' | 'OptionRoots' | 'OptionContracts', number>
>
export type Health = Readonly<{ Status: 'Ready' | 'NotReady' | 'Closing'; Database: 'Up' | 'Away' }>

/** Optional data is omitted on API errors, except that the session has ended. */
const optional = undefinedIf(({ status }) => status !== 401)

/** The option root of Apple in the demo data. Not every user may see it. */
export async function findAppleChain(ctx: PageContext): Promise<ChainId> {
  const query = { Keywords: 'AAPL', AssetTypes: 'StockOption', $top: 1 }
  const { Data } = await ctx.api.getUnlogged<{ Data: { Identifier: number }[] }>('/ref/v1/instruments', query)
  return Data[0]?.Identifier
}

export async function readHealth({ deps, request }: PageContext): Promise<Health> {
  const { remoteAddress } = sourceOf(request)
  const { body } = await deps.call({ method: 'GET', url: '/health/ready', headers: {}, remoteAddress })
  return JSON.parse(body)
}

export type Overview = Awaited<ReturnType<typeof readOverview>>

/** Everything that the home page of a user shows. What cannot be read is left out. */
export async function readOverview(ctx: PageContext) {
  const [health, revision, chain, next, requests, secrets] = await Promise.all([
    readHealth(ctx),
    ctx.api.getUnlogged<Revision>('/x/v1/revision', {}).catch(optional),
    ctx.deps.demo && findAppleChain(ctx).catch(optional),
    readNext(ctx).catch(optional),
    ctx.deps.hasRequestLog ? readRequests(ctx).catch(optional) : undefined,
    readEndingSecrets(ctx).catch(optional),
  ])
  return { health, revision, chain, next, requests, secrets }
}

/** The next pending decision and how many there are. */
async function readNext(ctx: PageContext): Promise<{ due: Due | undefined; count: number } | undefined> {
  const { body } = await readDecisions(ctx, new Map())
  return body && { due: body.due[0], count: body.due.length }
}

const maxRequests = 200
const maxErrors = 5

export type Requests = Readonly<{ traffic: Traffic; errors: readonly LoggedRequest[]; isEmpty: boolean }>

async function readRequests(ctx: PageContext): Promise<Requests> {
  // As in the request log: what the console itself calls is not traffic of the user's apps.
  const query = { $top: maxRequests, WithoutConsole: true }
  const { Data, __next } = await ctx.api.getUnlogged<{ Data: LoggedRequest[]; __next?: string }>(requestsPath, query)
  const offset = Math.round((ctx.deps.travel()?.offsetSeconds ?? 0) * 1_000)
  const realNow = ctx.now.subtract({ milliseconds: offset })
  const times = Data.map(({ RealTime }) => Temporal.Instant.from(RealTime))
  const errors = Data.filter(({ Status }) => Status >= 400 || Status === 0).slice(0, maxErrors)
  return { traffic: trafficOf(times, realNow, __next === undefined), errors, isEmpty: Data.length === 0 }
}

const maxApps = 10

export type EndingSecret = Readonly<{ appKey: string; name: string; word: string; tone: Tone | undefined }>

/** The newest active apps whose secrets have ended, or all end soon. */
async function readEndingSecrets(ctx: PageContext): Promise<{ ending: EndingSecret[]; apps: number }> {
  const apps = await readApps(ctx)
  const checked = apps.filter(({ Flow, IsActive }) => Flow === 'Code' && IsActive).slice(0, maxApps)
  const found = await Promise.all(
    checked.map(async ({ AppKey, Name, Flow }) => {
      const { word, tone } = secretSummary(Flow, await readSecretUses(ctx, AppKey), ctx.now)
      return { appKey: AppKey, name: Name, word, tone }
    }),
  )
  return { ending: found.filter(({ tone }) => tone !== 'good'), apps: apps.length }
}
