import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import type { Explanation } from '../../src/core/explain/schema.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { liveSettings, serviceForFile } from '../support/service/service.ts'
import { codeRequest, getRest, obtainTokens, signIn } from '../support/sign-in.ts'

const live = await serviceForFile({ env: liveSettings })
const password = 'another password'
noteSecret('password', password)

test('live accepts no sign-in with the password of the demo, even if it is the right one', async () => {
  await assert.rejects(signIn(live.url, codeRequest), /401 !== 302/)
  const password_hash = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await live.node.context.db.updateTable('service_user').set({ password_hash }).execute()
  assert.ok((await signIn(live.url, codeRequest, { password })).searchParams.get('code'))
})

test('live explains an answer without rows, but adds no link to it', async () => {
  const { access_token: token } = await obtainTokens(live.url, { password })
  const nothing = await getRest(live.baseUrl, '/ref/v1/instruments?Keywords=zzzzzz', token)
  assert.deepEqual([nothing.status, nothing.headers.get('link')], [200, null])
  const path = encodeURIComponent('/ref/v1/instruments?Keywords=zzzzzz')
  const explained = await getRest(live.baseUrl, `/x/v1/explain?Request=${path}`, token)
  assert.equal(explained.status, 200)
  assert.equal(((await explained.json()) as Explanation).Count, 0)
})
