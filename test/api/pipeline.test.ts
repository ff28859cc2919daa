import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { test } from 'node:test'
import inject from 'light-my-request'
import { sharedDemoService } from '../support/service/shared.ts'
import { obtainTokens } from '../support/sign-in.ts'

const service = await sharedDemoService()
const { server } = service.node
const base = new URL(service.baseUrl).pathname

/** The hooks of every GET route, by path, without those of the tests. A nested route is printed below the one
 *  whose path its own begins with. */
function hooksOfRoutes(): Map<string, string[]> {
  const hooks = new Map<string, string[]>()
  const parents: string[] = []
  let current: string[] = []
  for (const line of server.printRoutes({ method: 'GET', includeHooks: true, commonPrefix: false }).split('\n')) {
    const [, indent, rest] = /^([│├└─ ]*)(\S+) \(GET\)/.exec(line) ?? []
    const names = /• \((on|pre)\w+\) (\[.*\])/.exec(line)?.[2]
    if (indent !== undefined && rest !== undefined) {
      const depth = indent.length / 4
      parents[depth] = `${parents[depth - 1] ?? ''}${rest}`
      current = []
      hooks.set(parents[depth], current)
    }
    if (names !== undefined)
      current.push(...(JSON.parse(names) as string[]).filter((name) => !/^check(Request|Response)\(/.test(name)))
  }
  return hooks
}

test('a REST request runs through at most four hooks', () => {
  const rest = [...hooksOfRoutes()].filter(([path]) => path.startsWith(`${base}/`))

  assert.ok(rest.length > 50)
  for (const [path, hooks] of rest) assert.ok(hooks.length >= 1 && hooks.length <= 4, `${path}: ${hooks}`)
})

test('a request with a known token reaches its operation without waiting for anything', async () => {
  const { access_token } = await obtainTokens(service.url)
  const started: unknown[] = []
  const note = (event: unknown) => void started.push(event)
  channel('tracing:fastify.request.handler:start').subscribe(note)
  const startsAtOnce = async (path: string) => {
    let atOnce = 0
    await inject(
      (incoming, response) => {
        const before = started.length
        server.routing(incoming, response)
        atOnce = started.length - before
      },
      { url: `${base}${path}`, headers: { authorization: `Bearer ${access_token}` } },
    )
    return atOnce
  }

  const [first, second, other] = [
    await startsAtOnce('/port/v1/users/me'),
    await startsAtOnce('/port/v1/users/me'),
    await startsAtOnce('/ref/v1/countries?$top=1'),
  ]

  channel('tracing:fastify.request.handler:start').unsubscribe(note)
  assert.deepEqual([first, second, other, started.length], [0, 1, 1, 3])
})
