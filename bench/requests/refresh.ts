import { type Contender, type Cost, connections, measure, shownCost } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { client, refreshRequest, sameUser, tokensOf } from '../support/refdesk.ts'
import { recorderOf } from '../support/report.ts'
import { ask, get } from '../support/wire.ts'

/** A user may have 500 sessions with one app (§4.2). */
const sessions = 448
/** Both run much code, which is still being compiled during the first seconds. */
const warmUp = 12_000
const count = 8_000

/** Compares refreshes that are durable on disk before the response with oidc-provider in memory. */
export async function benchRefresh({ database, servers }: Place): Promise<void> {
  const node = await servers.serve(database)
  const ours: Contender = {
    name: 'refdesk',
    port: node.port,
    pids: async () => [node.pid, ...(await database.processIds())],
    step: refreshing(client, await database.seedSessions(sameUser(sessions))),
  }
  const peer = await servers.startRival('oidc-provider', {}, '/jwks')
  const seeded = JSON.parse((await ask(peer.port, get(`/seed?count=${sessions}`))).body)
  const peerClient = { id: seeded.client.client_id, secret: seeded.client.client_secret }
  const theirs: Contender = {
    name: 'oidc-provider',
    port: peer.port,
    pids: () => [peer.pid],
    step: refreshing(peerClient, seeded.tokens),
  }
  await measure([ours, theirs], { count: warmUp, turns: 4, isWarmUp: true })
  const [durable, inMemory] = (await measure([ours, theirs], { count })) as [Cost, Cost]
  const name = 'refresh, durable / oidc-provider in memory'
  const sides = { ours: shownCost(durable), rival: shownCost(inMemory) }
  recorderOf('Requests, processor time of one').atLeast(name, inMemory.microseconds / durable.microseconds, 1.3, sides)
}

/** Refreshes sessions in turn, each with its newest refresh token. Each connection has many sessions of its own, because
 *  oidc-provider's memory adapter visits all tokens of a grant for every new one: a few endless chains would slow it
 *  down in a way that no real client does. */
function refreshing(app: { id: string; secret: string }, seeded: readonly string[]): Contender['step'] {
  const lanes = Array.from({ length: connections }, (_, lane) => seeded.filter((_, at) => at % connections === lane))
  const next = lanes.map(() => 0)
  return async (wire, _index, lane) => {
    const chain = lanes[lane] ?? []
    const at = ((next[lane] ?? 0) + 1) % chain.length
    next[lane] = at
    const presented = chain[at] ?? ''
    const { refresh_token, access_token } = tokensOf(await wire.send(refreshRequest(presented, app)))
    if (!refresh_token || refresh_token === presented) throw new Error('A refresh did not rotate its token.')
    if (access_token.split('.').length !== 3) throw new Error('An access token is not a JWT.')
    chain[at] = refresh_token
  }
}
