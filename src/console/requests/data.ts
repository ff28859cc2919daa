import type { Static } from 'typebox'
import type { SecretUsage } from '../../apps/api/extension-schema.ts'
import { secretName } from '../../core/app.ts'
import { basePathOf } from '../../core/environment.ts'
import { hasDotSegments } from '../../http/input/dot-segments.ts'
import { isWhole } from '../../http/request-log/rules/secrets.ts'
import type { Exchange, RequestSummary } from '../../requests/api/schema.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { ConsoleDependencies } from '../shared/dependencies.ts'

export type LoggedRequest = Static<typeof RequestSummary>
export type WholeExchange = Static<typeof Exchange>

export const listPath = '/console/requests'
export const entryPath = (id: string): string => `${listPath}/${encodeURIComponent(id)}`
export const apiPath = '/x/v1/requests'

/** The path and query below {base_url} of a GET request that can be sent again. */
export function repeatedPath(
  { environment }: ConsoleDependencies,
  { Method, Path }: LoggedRequest,
): string | undefined {
  const basePath = basePathOf(environment)
  if (Method !== 'GET' || !Path.toLowerCase().startsWith(`${basePath}/`) || !isWhole(Path)) return undefined
  const path = Path.slice(basePath.length)
  return hasDotSegments(path) ? undefined : path
}

/** Names by key. */
export type Names = Readonly<{ apps: ReadonlyMap<string, string>; users: ReadonlyMap<string, string> }>

const maxApps = 1_000

const isOptional = undefinedIf(({ status }) => [403, 404, 429, 503].includes(status))

/** The name of the secret that the app authenticated with. Of other clients' apps only the id is known. */
export async function readSecretName(
  ctx: PageContext,
  { AppKey = '', SecretId }: WholeExchange,
): Promise<string | undefined> {
  if (SecretId === undefined) return undefined
  const path = `/x/v1/apps/${encodeURIComponent(AppKey)}/usage`
  const uses = await ctx.api.getUnlogged<{ Data: SecretUsage[] }>(path, {}).catch(isOptional)
  return secretName(SecretId, uses?.Data.find((use) => String(use.SecretId) === SecretId)?.LastFour)
}

/** The names of the own client's apps and users. Those of others stay keys. */
export async function readNames(ctx: PageContext): Promise<Names> {
  const read = <Row>(path: string, $top?: number): Promise<{ Data: Row[] } | undefined> =>
    ctx.api.getUnlogged<{ Data: Row[] }>(path, { $top }).catch(isOptional)
  const [apps, users] = await Promise.all([
    read<{ AppKey: string; Name: string }>('/developer/apps', maxApps),
    read<{ UserKey: string; Name: string }>('/port/v1/users'),
  ])
  const own = (apps?.Data ?? []).map(({ AppKey, Name }) => [AppKey, Name] as const)
  return {
    apps: new Map([...own, [ctx.deps.appKey, 'Console']]),
    users: new Map((users?.Data ?? []).map(({ UserKey, Name }) => [UserKey, Name])),
  }
}

export const noNames: Names = { apps: new Map(), users: new Map() }
