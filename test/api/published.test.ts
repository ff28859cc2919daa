import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { noteSecret } from '../support/runner/log-check.ts'
import { liveSettings, serviceForFile } from '../support/service/service.ts'
import { codeRequest, signIn } from '../support/sign-in.ts'

const live = await serviceForFile({ env: liveSettings })

test('live accepts no sign-in with the password of the demo, even if it is the right one', async () => {
  await assert.rejects(signIn(live.url, codeRequest), /401 !== 302/)
  const password = 'another password'
  noteSecret('password', password)
  const password_hash = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await live.node.context.db.updateTable('service_user').set({ password_hash }).execute()
  assert.ok((await signIn(live.url, codeRequest, { password })).searchParams.get('code'))
})
