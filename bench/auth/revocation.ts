import { accessTokens } from '../support/chains.ts'
import { medianOf } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { client } from '../support/refdesk.ts'
import { heading, line, milliseconds } from '../support/report.ts'
import { freePort } from '../support/servers.ts'
import { get, postForm, Wire } from '../support/wire.ts'

const times = 20
const path = '/sim/openapi/port/v1/users/me'

/** How long a second node accepts an access token after its revocation at the first. */
export async function benchRevocation({ database, servers }: Place): Promise<void> {
  heading(`Time until a second node applies a revocation, ${times} times`)
  const port = await freePort()
  const settings = database.settings(`http://localhost:${port}`)
  await servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready', port })
  const second = await servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready' })
  const tokens = await accessTokens(port, client, await database.seedSessions(times))

  const [revoking, calling] = await Promise.all([Wire.open(port), Wire.open(second.port)])
  const sinceRequest: number[] = []
  const sinceResponse: number[] = []
  try {
    for (const token of tokens) {
      const { afterRequest, afterResponse } = await revokeAndWait(revoking, calling, token)
      sinceRequest.push(afterRequest)
      sinceResponse.push(afterResponse)
    }
  } finally {
    revoking.close()
    calling.close()
  }
  const show = (name: string, values: number[]) =>
    line(name, milliseconds(medianOf(values)), `longest ${milliseconds(Math.max(...values))}`)
  show('from the request to the last accepted call', sinceRequest)
  show('from the response to the last accepted call', sinceResponse)
}

async function revokeAndWait(revoking: Wire, calling: Wire, token: string) {
  const request = get(path, token)
  if ((await calling.send(request)).status !== 200) throw new Error('The second node rejected a valid token.')
  const sent = performance.now()
  let responded = Number.NaN
  const revoked = revoking.send(postForm('/revoke', client, { token })).then(({ status }) => {
    if (status !== 200) throw new Error(`The revocation failed: ${status}`)
    responded = performance.now()
  })
  while ((await calling.send(request)).status === 200);
  const rejectedAt = performance.now()
  await revoked
  return { afterRequest: rejectedAt - sent, afterResponse: Math.max(0, rejectedAt - responded) }
}
