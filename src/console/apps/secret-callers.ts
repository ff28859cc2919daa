import { apiPath, entryPath, type LoggedRequest, readNames, type WholeExchange } from '../requests/data.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { SecretCaller } from './pages/secrets.ts'

const maxRequests = 200
const maxSecrets = 5

/** Who used each secret last, as far as the request log of this node knows. */
export async function readSecretCallers(ctx: PageContext, appKey: string): Promise<ReadonlyMap<string, SecretCaller>> {
  const optional = undefinedIf(({ status }) => [403, 404, 429, 503].includes(status))
  const query = { AppKey: appKey, Path: '/token', $top: maxRequests }
  const found = await ctx.api.getUnlogged<{ Data: LoggedRequest[] }>(apiPath, query).catch(optional)
  // The newest first.
  const latest = new Map<string, LoggedRequest>()
  for (const row of found?.Data ?? [])
    if (row.SecretId !== undefined && !latest.has(row.SecretId)) latest.set(row.SecretId, row)
  if (latest.size === 0) return new Map()
  const { users } = await readNames(ctx)
  const callers = [...latest].slice(0, maxSecrets).map(async ([secret, { Id, UserKey }]) => {
    const whole = await ctx.api.getUnlogged<WholeExchange>(`${apiPath}/${encodeURIComponent(Id)}`, {}).catch(optional)
    const user = UserKey === undefined ? undefined : (users.get(UserKey) ?? UserKey)
    return [secret, { user, address: whole?.Address, href: entryPath(Id) }] as const
  })
  return new Map(await Promise.all(callers))
}
