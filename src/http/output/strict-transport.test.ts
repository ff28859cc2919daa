import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closingGet } from '../../../test/support/http/slow-client.ts'
import { sendRaw, testServer } from '../../../test/support/http-server.ts'
import { addSteps } from '../pipeline.ts'

/** Requests that every part of the server answers. */
const texts = {
  'an answer': closingGet('/x'),
  'a remembered answer': closingGet('/remembered'),
  'an unknown path': closingGet('/unknown'),
  'another method': closingGet('/x').replace('GET', 'PUT'),
  'a malformed escape': closingGet('/%zz'),
  'no Host header': closingGet('/x').replace('Host: x\r\n', ''),
  'an unknown expectation': closingGet('/x').replace('Host', 'Expect: the-best\r\nHost'),
  'headers that are too large': closingGet('/x').replace('Host', `X-Long: ${'a'.repeat(70_000)}\r\nHost`),
  'no HTTP': 'HELLO\r\n\r\n',
}
const statuses = [200, 200, 404, 405, 400, 400, 200, 431, 400]

for (const isHttpsOnly of [true, false])
  test(`${isHttpsOnly ? 'every' : 'no'} response tells browsers to use https only`, async (t) => {
    const { server } = testServer({ isHttpsOnly, limits: { lingerMs: 60_000 } })
    t.after(() => server.close())
    server.get('/x', async () => 'x')
    server.register(async (scope: typeof server) => {
      addSteps(scope, {
        answer: () => ({ status: 200, headers: {}, body: Buffer.from('{}') }),
      })
      scope.get('/remembered', () => assert.fail('made again'))
    })
    for (const [index, [name, text]] of Object.entries(texts).entries()) {
      const answer = await sendRaw(server, text)
      assert.equal(Number(answer.slice(9, 12)), statuses[index], name)
      const value = /^strict-transport-security: (.*)\r$/im.exec(answer)?.[1]
      assert.equal(value, isHttpsOnly ? 'max-age=31536000' : undefined, name)
      assert.match(answer, /^x-correlation: /im, name)
    }
  })
