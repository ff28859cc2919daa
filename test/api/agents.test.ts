import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoClient } from '../support/journey.ts'
import { serviceForFile } from '../support/service/service.ts'
import { Browser, pkcePair } from '../support/sign-in.ts'

const { url } = await serviceForFile()
const resource = `${url}/mcp`
const redirect_uri = 'http://127.0.0.1:49152/callback'
const client_id = demoClient('PKCE').id

/** The request that an agent opens in the browser. */
const asked = (challenge: string, more: Record<string, string> = { resource }) => ({
  response_type: 'code',
  client_id,
  redirect_uri,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...more,
})

test('the sign-in page says what the app can do with the resource that it asks for', async () => {
  const pageFor = async (more?: Record<string, string>) => {
    const query = new URLSearchParams(asked(pkcePair().challenge, more))
    return (await new Browser().fetch(`${url}/login?${query}`)).text()
  }
  assert.match(await pageFor(), /reference data and your corporate actions[.,] /)
  assert.doesNotMatch(await pageFor(), /your apps/)
  assert.match(await pageFor({}), /your apps/)
})
