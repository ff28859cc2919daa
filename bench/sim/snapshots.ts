import { accessTokens } from '../support/chains.ts'
import { medianOf } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { client } from '../support/refdesk.ts'
import { atMost, heading } from '../support/report.ts'

const rounds = 10
const path = '/sim/openapi/x/v1/snapshots/start'

/** How long the restore of the demo takes, from the request until the node has served restored data: after a test that
 *  created an app, and after a reset, which replaces every row. */
export async function benchSnapshots({ database, servers }: Place): Promise<void> {
  heading(`Restore of the demo, ${rounds} times`)
  const whole = await database.another('snapshots', { withReference: true })
  const settings = whole.settings('http://localhost:4700')
  const { port } = await servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready' })
  const [own = ''] = await accessTokens(port, client, await whole.seedSessions(1))
  let token = own
  const call = async (method: string, address: string, body?: object) => {
    const response = await fetch(`http://localhost:${port}${address}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`)
    return JSON.parse(text) as { Data: { Name: string }[]; Session: { access_token: string } }
  }
  const restore = async () => {
    const start = performance.now()
    await call('POST', `${path}/restore`)
    token = own
    const { Data } = await call('GET', '/sim/openapi/developer/apps')
    if (Data.some(({ Name }) => Name === 'Later')) throw new Error('The app is still there.')
    await call('GET', '/sim/openapi/ref/v1/instruments/details/1000/Stock')
    return (performance.now() - start) / 1_000
  }
  await call('PUT', path)
  await restore()
  const [small, large]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    await call('POST', '/sim/openapi/developer/apps', { Name: 'Later', Description: 'Of a test.', Flow: 'Code' })
    small.push(await restore())
  }
  for (let round = 0; round < rounds / 5; round++) {
    token = (await call('POST', '/sim/openapi/x/v1/reset', { Confirm: 'reset' })).Session.access_token
    large.push(await restore())
  }
  atMost('restore of the demo after a small change', medianOf(small), 1, 's')
  atMost('restore of the demo after a reset', medianOf(large), 1, 's')
}
