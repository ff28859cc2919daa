import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { demoApp, demoPassword } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { behindProxy, guessedService, statuses, tenTimes, times } from '../support/guessing.ts'
import { serviceForFile, startService } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const { clock, service, newAddress, trySecret, tryPassword } = await guessedService()

/** Keeps everyone else waiting in the password queue until the work is done. */
async function withQueueHeld(work: () => Promise<void>): Promise<void> {
  const { passwords } = service.node.context
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = ['one', 'two'].map((key) => passwords.inTurn(key, () => promise))
  try {
    await work()
  } finally {
    resolve()
    await Promise.all(held)
  }
}

describe('wrong secrets', () => {
  for (const [kind, appKey] of [
    ['a known', demoApp.AppKey],
    ['an unknown', 'e'.repeat(32)],
  ] as const)
    test(`of ${kind} app: ten are 401, the eleventh is 429 with Retry-After and the same text, for 5 minutes`, async () => {
      const address = newAddress()
      const answers = await times(11, () => trySecret('wrong', address, appKey))
      assert.deepEqual(statuses(answers), [...tenTimes(401), 429])
      assert.equal(answers[10]?.retryAfter, '300')
      assert.deepEqual(answers[10]?.body, answers[0]?.body)
      assert.equal(answers[10]?.body.error, 'invalid_client')
      clock.advance(299)
      assert.deepEqual(await trySecret('wrong', address, appKey), { ...answers[10], retryAfter: '1' })
      clock.advance(1)
      assert.equal((await trySecret('wrong', address, appKey)).status, 401)
    })

  test('from other addresses never block a right secret', async () => {
    const [attacker, owner] = [newAddress(), newAddress()]
    await times(11, () => trySecret('wrong', attacker))
    assert.equal((await trySecret(demoApp.Secret, owner)).body.error, 'invalid_grant')
    const { guard } = service.node.context
    for (let index = 0; index < 101; index++) await guard.recordWrongSecret(demoApp.AppKey, `203.0.113.${index}`)
    assert.equal((await trySecret(demoApp.Secret, owner)).body.error, 'invalid_grant')
  })

  test('of one app do not count for another', async () => {
    const address = newAddress()
    await times(11, () => trySecret('wrong', address, 'd'.repeat(32)))
    assert.equal((await trySecret(demoApp.Secret, address)).body.error, 'invalid_grant')
  })

  test('right secrets in between are not counted', async () => {
    const address = newAddress()
    await times(10, () => trySecret('wrong', address))
    assert.equal((await trySecret(demoApp.Secret, address)).body.error, 'invalid_grant')
    assert.equal((await trySecret('wrong', address)).status, 429)
  })

  test('sent concurrently are all rejected and counted', async () => {
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 20 }, () => trySecret('wrong', address)))
    assert.ok(statuses(answers).every((status) => status === 401 || status === 429))
    assert.equal((await trySecret('wrong', address)).status, 429)
    assert.equal((await trySecret(demoApp.Secret, address)).status, 429)
  })

  test('count for a whole IPv6 /64, and by X-Forwarded-For only from a trusted proxy', async () => {
    const answers = []
    for (let index = 1; index <= 11; index++) answers.push(await trySecret('wrong', `2001:db8:0:1::${index}`))
    assert.equal(answers[10]?.status, 429)
    assert.equal((await trySecret('wrong', '2001:db8:0:2::1')).status, 401)
    const forged = []
    for (let index = 1; index <= 11; index++) forged.push(await trySecret('wrong', `192.0.2.${index}, 192.0.2.200`))
    assert.equal(forged[10]?.status, 429)
  })
})

describe('wrong passwords', () => {
  for (const [kind, user] of [
    ['a known', 'bo'],
    ['an unknown', 'unknown'],
  ] as const)
    test(`of ${kind} user: ten are 401, the eleventh is 429 with Retry-After and the same page`, async () => {
      const address = newAddress()
      const answers = await times(11, () => tryPassword(user, 'wrong password', address))
      assert.deepEqual(statuses(answers), [...tenTimes(401), 429])
      assert.equal(answers[10]?.page, answers[0]?.page)
      assert.match(answers[10]?.retryAfter ?? '', /^[1-9]\d*$/)
      assert.equal((await tryPassword(user, demoPassword, address)).status, 429)
    })

  test('from other addresses do not block a user until there are 100', async () => {
    const address = newAddress()
    assert.equal((await tryPassword('bo', demoPassword, address)).status, 302)
    const { guard } = service.node.context
    for (let index = 0; index < 100; index++) await guard.recordWrongPassword('cy', `203.0.113.${index}`)
    assert.equal((await tryPassword('CY', demoPassword, address)).status, 429)
    clock.advance(300)
    assert.equal((await tryPassword('cy', demoPassword, address)).status, 302)
  })

  test('sent concurrently: hardly more than ten are checked', async () => {
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 25 }, () => tryPassword('dora', 'wrong password', address)))
    const looked = statuses(answers).filter((status) => status === 401).length
    assert.ok(looked >= 10 && looked <= 11, `${looked} were looked at; two are checked at a time`)
  })

  test('many concurrent right passwords are all accepted', async () => {
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryPassword('bo', demoPassword, address)))
    assert.deepEqual(new Set(statuses(answers)), new Set([302]))
  })

  test('get a Retry-After, after which a right password is accepted', async () => {
    const address = newAddress()
    await tryPassword('ada', 'wrong password', newAddress())
    clock.advance(200)
    const { guard } = service.node.context
    for (let index = 0; index < 10; index++) await guard.recordWrongPassword('ada', address)
    const blocked = await tryPassword('ada', demoPassword, address)
    assert.equal(blocked.status, 429)
    clock.advance(Number(blocked.retryAfter))
    assert.equal((await tryPassword('ada', demoPassword, address)).status, 302)
  })
})

describe('wrong passwords for many names from one address', () => {
  const block = async (address: string) => {
    const { guard } = service.node.context
    for (let index = 0; index < 99; index++) await guard.recordWrongPassword(`sprayed ${index}`, address)
    return tryPassword('sprayed 99', 'wrong password', address)
  }

  test('a hundred are 401; the next is 429, right or wrong, and takes no turn in the queue', async () => {
    const address = newAddress()
    assert.equal((await block(address)).status, 401)
    const blocked = await tryPassword('sprayed 100', 'wrong password', address)
    assert.deepEqual([blocked.status, blocked.retryAfter], [429, '300'])
    await withQueueHeld(async () => {
      assert.equal((await tryPassword('ada', demoPassword, address)).status, 429)
    })
    assert.equal((await tryPassword('ada', demoPassword, newAddress())).status, 302)
    clock.advance(300)
    assert.equal((await tryPassword('ada', demoPassword, address)).status, 302)
  })

  test('block the address on every node', async () => {
    const address = newAddress()
    await block(address)
    const other = await startService({ besides: service, env: behindProxy })
    try {
      assert.equal((await tryPassword('ada', demoPassword, address, other.url)).status, 429)
    } finally {
      await other.close()
    }
  })

  test('right passwords do not count', async () => {
    const address = newAddress()
    assert.deepEqual(
      new Set(statuses(await times(101, () => tryPassword('bo', demoPassword, address)))),
      new Set([302]),
    )
  })

  test('wrong secrets for many apps: after a hundred the next is 429, and a right one is accepted', async () => {
    const address = newAddress()
    const { guard } = service.node.context
    const appKey = (index: number) => index.toString(16).padStart(32, '0')
    for (let index = 0; index < 99; index++) await guard.recordWrongSecret(appKey(index), address)
    assert.equal((await trySecret('wrong', address, appKey(99))).status, 401)
    const blocked = await trySecret('wrong', address, appKey(100))
    assert.deepEqual([blocked.status, blocked.retryAfter], [429, '300'])
    assert.equal((await trySecret('wrong', address, appKey(101))).status, 429)
    assert.equal((await trySecret(demoApp.Secret, address)).body.error, 'invalid_grant')
  })
})

describe('X-Forwarded-For', () => {
  const path = '/ref/v1/exchanges'

  async function nodeWith(env: Record<string, string>) {
    const lines: { address?: string; route?: string }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const { url, baseUrl } = await serviceForFile({ besides: service, env, log })
    const { access_token } = await obtainTokens(service.url)

    /** The address in the log, whether limits count the request, and the status of /metrics with the same headers. */
    async function seen(headers: Record<string, string>) {
      lines.length = 0
      const authorization = `Bearer ${access_token}`
      const response = await fetch(`${baseUrl}${path}`, { headers: { authorization, ...headers } })
      await response.arrayBuffer()
      const line = await eventually(async () => lines.find(({ route }) => route?.endsWith(path)))
      return {
        address: line.address?.replace(/^(::1|127\.0\.0\.1|::ffff:127\.0\.0\.1)$/, 'loopback'),
        isCounted: response.headers.has('x-ratelimit-session-limit'),
        metrics: (await fetch(`${url}/metrics`, { headers })).status,
      }
    }
    return { url, seen }
  }

  test('from a trusted proxy is the caller on every node: for blocks, limits and the log, and never local', async () => {
    const nodes = [await nodeWith(behindProxy), await nodeWith(behindProxy)] as const
    const [one, two] = nodes
    const unknown = 'a'.repeat(32)
    const answers = []
    for (let index = 1; index <= 10; index++) {
      const node = nodes[index % 2] ?? one
      answers.push(await trySecret('wrong', `2001:db8:7:1::${index}`, unknown, node.url))
    }
    assert.deepEqual(statuses(answers), tenTimes(401))
    for (const { url } of nodes) {
      assert.equal((await trySecret('wrong', '2001:DB8:7:1:0:0:0:FF', unknown, url)).status, 429)
      assert.equal((await trySecret('wrong', '2001:db8:7:2::1', unknown, url)).status, 401)
    }

    for (const { seen } of nodes)
      for (const address of ['2001:db8:7:1::1', '203.0.113.7'])
        assert.deepEqual(await seen({ 'x-forwarded-for': address }), { address, isCounted: true, metrics: 404 })
    for (const address of ['::1', '127.0.0.1'])
      assert.deepEqual(await two.seen({ 'x-forwarded-for': address }), {
        ...{ address: 'loopback', isCounted: true, metrics: 404 },
      })
    assert.deepEqual(await one.seen({}), { address: 'loopback', isCounted: false, metrics: 200 })
  })

  test('from any other address is ignored, but the request is not local', async () => {
    const { url, seen } = await nodeWith({ TRUST_PROXY: '10.0.0.0/8,2001:db8::/32' })
    const unknown = 'b'.repeat(32)
    const answers = []
    for (let index = 1; index <= 11; index++)
      answers.push(await trySecret('wrong', `2001:db8:8:${index}::1`, unknown, url))
    assert.deepEqual(statuses(answers), [...tenTimes(401), 429])

    for (const address of ['2001:db8:8:1::1', '203.0.113.7', '127.0.0.1'])
      assert.deepEqual(await seen({ 'x-forwarded-for': address }), {
        ...{ address: 'loopback', isCounted: true, metrics: 404 },
      })
  })
})
