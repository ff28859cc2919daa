import { medianOf } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { sameUser } from '../support/refdesk.ts'
import { recorderOf } from '../support/report.ts'

const snapshot = '/sim/openapi/x/v1/snapshots/start'
const [smallChanges, resets] = [5, 2]
const aimSeconds = 0.5

type Body = { Data: { Name: string }[]; Session: { access_token: string } }

/** Measures the restore of the demo, from the request until the node has served restored data: after a test that created
 *  an app, and after a reset, which replaces every row. */
export async function benchRestore({ database, servers }: Place): Promise<void> {
  const whole = await database.another('snapshots', { withReference: true })
  const { port } = await servers.serve(whole)
  const [own = ''] = await whole.accessTokens(port, sameUser(1))
  let token = own
  const call = async (method: string, address: string, body?: object): Promise<Body> => {
    const response = await fetch(`http://localhost:${port}${address}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`)
    return JSON.parse(text) as Body
  }
  const restore = async () => {
    await call('POST', `${snapshot}/restore`)
    token = own
    const { Data } = await call('GET', '/sim/openapi/developer/apps')
    if (Data.some(({ Name }) => Name === 'Later')) throw new Error('The app is still there.')
    await call('GET', '/sim/openapi/ref/v1/instruments/details/1000/Stock')
  }
  const change = () =>
    call('POST', '/sim/openapi/developer/apps', { Name: 'Later', Description: 'Of a test.', Flow: 'Code' })
  const reset = async () => {
    token = (await call('POST', '/sim/openapi/x/v1/reset', { Confirm: 'reset' })).Session.access_token
  }
  await call('PUT', snapshot)
  await restore()
  const [small, large, resetSeconds]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < smallChanges; round++) {
    await change()
    small.push(await secondsOf(restore))
  }
  for (let round = 0; round < resets; round++) {
    resetSeconds.push(await secondsOf(reset))
    large.push(await secondsOf(restore))
  }
  const { atMost } = recorderOf('Restore of a snapshot of the demo')
  const sides = { unit: 's', rival: `the reset: ${medianOf(resetSeconds).toFixed(2)} s` }
  atMost('restore after a small change', medianOf(small), aimSeconds, { unit: 's' })
  atMost('restore after a reset', medianOf(large), aimSeconds, sides)
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}
