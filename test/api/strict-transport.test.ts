import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveSettings, serviceForFile } from '../support/service/service.ts'

const [live, sim] = [await serviceForFile({ env: liveSettings }), await serviceForFile()]
const paths = ['/', '/health/live', '/openapi.json', '/authorize', '/token', '/console', '/nothing-here', '/metrics']

test('every response of live makes browsers use https only; sim may use http, so its responses do not', async () => {
  for (const [{ node, baseUrl }, wanted] of [
    [live, 'max-age=31536000'],
    [sim, undefined],
  ] as const) {
    const api = new URL(baseUrl).pathname
    for (const url of [...paths, `${api}/port/v1/users/me`, `${api}/nothing`]) {
      const { headers } = await node.server.inject(url)
      assert.equal(headers['strict-transport-security'], wanted, url)
    }
  }
})
