import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomGuid, randomHex } from '../../src/core/crypto/keys.ts'
import { demoApp, demoRedirectUri } from '../../src/sim/demo-records.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { basic, obtainTokens, postToken, refresh, signInForCode } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url } = service
const log = () => readFileSync(join(process.env.REFDESK_TEST_LOG ?? '', `${process.pid}.log`), 'utf8')

/** The log lines that an act leaves about refusals. */
async function refusals(act: () => Promise<unknown>): Promise<string[]> {
  const before = log().length
  await act()
  const lines = log().slice(before).trim().split('\n')
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, error, reason }) => (msg === 'refused' ? `${error}: ${reason}` : []))
}

const wrongSecret = randomHex()
noteSecret('wrong secret', wrongSecret)
const exchange = (code: string, redirect_uri = demoRedirectUri, authorization = basic()) =>
  postToken(url, { grant_type: 'authorization_code', code, redirect_uri }, authorization)

test('the log tells why a grant was refused, though the caller is told one text for all', async () => {
  const used = await signInForCode(url)
  await exchange(used)
  const answers: string[] = []
  const told = async (answer: ReturnType<typeof postToken>) => answers.push((await answer).body.error_description ?? '')
  assert.deepEqual(await refusals(async () => told(exchange(used))), ['invalid_grant: the code was used before'])
  assert.deepEqual(await refusals(async () => told(exchange(randomGuid()))), ['invalid_grant: no such code'])
  const code = await signInForCode(url)
  assert.deepEqual(await refusals(async () => told(exchange(code, 'http://localhost:5000/other'))), [
    'invalid_grant: redirect_uri is not that of the sign-in',
  ])
  assert.deepEqual(await refusals(async () => told(refresh(url, randomGuid()))), [
    'invalid_grant: no such refresh token',
  ])
  assert.equal(new Set(answers).size, 1)
})

test('the log tells why an app was not let in', async () => {
  const code = randomGuid()
  const reasons = [
    ...(await refusals(() => exchange(code, demoRedirectUri, basic(demoApp.AppKey, wrongSecret)))),
    ...(await refusals(() => exchange(code, demoRedirectUri, basic(randomHex(), wrongSecret)))),
    ...(await refusals(() => exchange(code, demoRedirectUri, basic('123456789abcdef0123456789abcdef0', wrongSecret)))),
    ...(await refusals(() => postToken(url, { grant_type: 'authorization_code', code }, null))),
  ]
  assert.deepEqual(reasons, [
    'invalid_client: the secret is wrong, or not valid now',
    'invalid_client: no such app',
    'invalid_client: an app of the PKCE flow has no secret, and one was sent',
    'invalid_client: no credentials that can be read',
  ])
})

test('a refresh token that was revoked is refused with its reason in the log', async () => {
  const tokens = await obtainTokens(url)
  const form = new URLSearchParams({ token: tokens.refresh_token })
  await fetch(`${url}/revoke`, { method: 'POST', headers: { authorization: basic() }, body: form })
  const [reason] = await refusals(() => refresh(url, tokens.refresh_token))
  assert.match(reason ?? '', /^invalid_grant: the refresh token is .* of an ended session/)
})
