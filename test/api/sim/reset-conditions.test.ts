import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceForFile, startService } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { callWith } from './support.ts'

type ErrorBody = { ErrorCode: string }

const service = await serviceForFile()
const confirmed = { Confirm: 'reset' }

test('a reset requires confirmation and demo data', async () => {
  const ada = callWith(service, (await obtainTokens(service.url)).access_token)
  for (const body of [{}, { Confirm: 'yes' }, { ...confirmed, All: true }])
    assert.equal((await ada<ErrorBody>('POST', '/x/v1/reset', body)).status, 400)
  const without = await startService({ besides: service, env: { DEMO: 'off' } })
  try {
    const { access_token } = await obtainTokens(without.url)
    const { status, body } = await callWith(without, access_token)<ErrorBody>('POST', '/x/v1/reset', confirmed)
    assert.deepEqual([status, body.ErrorCode], [409, 'NoDemoData'])
  } finally {
    await without.close()
  }
})
