import { refreshing } from '../support/chains.ts'
import { type Contender, compare, pairedRatio, type Result, runRound } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { processorTime } from '../support/processor-time.ts'
import { client } from '../support/refdesk.ts'
import { heading, line, perSecond, printResult, ratio, shownResult } from '../support/report.ts'
import { freePort } from '../support/servers.ts'
import { ask, get } from '../support/wire.ts'

/** A user may have 500 sessions with one app (§4.2). */
const sessions = 448

/** Refreshes per second: ours, durable on disk before the response, against oidc-provider's in memory. */
export async function benchRefresh({ database, servers, isShort }: Place): Promise<void> {
  heading('Refreshes, one process each, 32 at a time')
  if (!isShort) await printCeiling(servers)

  const port = await freePort()
  const settings = database.settings(`http://localhost:${port}`)
  const node = await servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready', port })
  const ours: Contender = {
    ...refreshing('refdesk, durable in PostgreSQL', port, client, await database.seedSessions(sessions)),
    processorTime: async () => processorTime([node.pid, ...(await database.processIds())]),
  }

  const peer = await servers.start('bench/peers/oidc-provider.ts', {}, { readyPath: '/jwks' })
  const seeded = JSON.parse((await ask(peer.port, get(`/seed?count=${sessions}`))).body)
  const peerClient = { id: seeded.client.client_id, secret: seeded.client.client_secret }
  const theirs: Contender = {
    ...refreshing('oidc-provider 9, in memory', peer.port, peerClient, seeded.tokens),
    processorTime: () => processorTime([peer.pid]),
  }

  // Both run much code, which is still being compiled during the first seconds.
  const pace = isShort ? { rounds: 3, seconds: 1.5, warmUpSeconds: 4 } : { rounds: 5, seconds: 3, warmUpSeconds: 8 }
  const results = await compare([ours, theirs], pace)
  for (const result of results) printResult(result)
  const [durable, inMemory] = results as [Result, Result]
  const sides = { ours: shownResult(durable), rival: `oidc-provider: ${shownResult(inMemory)}` }
  ratio('refresh, durable / oidc-provider in memory', pairedRatio(results), 1.5, sides)
}

async function printCeiling(servers: Place['servers']): Promise<void> {
  const { port } = await servers.start('bench/peers/bare.ts', {})
  const bare: Contender = {
    name: 'bare',
    port,
    async step(wire) {
      if ((await wire.send(get('/'))).status !== 200) throw new Error('The bare server failed.')
    },
  }
  const ceiling = await runRound(bare, 1)
  line('load generator against bare node:http', perSecond(ceiling.rate), 'its own ceiling')
}
