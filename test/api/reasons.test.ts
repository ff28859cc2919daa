import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomGuid, randomHex } from '../../src/core/crypto/keys.ts'
import { demoApp, demoRedirectUri } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { basic, obtainTokens, postToken, refresh, signInForCode } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url } = service
const log = () => readFileSync(join(process.env.REFDESK_TEST_LOG ?? '', `${process.pid}.log`), 'utf8')

/** The rejections in the log of an action. */
async function rejections(act: () => Promise<unknown>): Promise<string[]> {
  const before = log().length
  await act()
  const lines = log().slice(before).trim().split('\n')
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, error, reason }) => (msg === 'OAuth request rejected' ? `${error}: ${reason}` : []))
}

const wrongSecret = randomHex()
noteSecret('wrong secret', wrongSecret)
const exchange = (code: string, redirect_uri = demoRedirectUri, authorization = basic()) =>
  postToken(url, { grant_type: 'authorization_code', code, redirect_uri }, authorization)

test('the log has the reason of a rejected grant, though the caller gets one text for all', async () => {
  const used = await signInForCode(url)
  await exchange(used)
  const descriptions: string[] = []
  const keep = async (response: ReturnType<typeof postToken>) =>
    descriptions.push((await response).body.error_description ?? '')
  assert.deepEqual(await rejections(async () => keep(exchange(used))), ['invalid_grant: the code was used before'])
  assert.deepEqual(await rejections(async () => keep(exchange(randomGuid()))), ['invalid_grant: no such code'])
  const code = await signInForCode(url)
  assert.deepEqual(await rejections(async () => keep(exchange(code, 'http://localhost:5000/other'))), [
    'invalid_grant: redirect_uri differs from that of the sign-in',
  ])
  assert.deepEqual(await rejections(async () => keep(refresh(url, randomGuid()))), [
    'invalid_grant: no such refresh token',
  ])
  assert.equal(new Set(descriptions).size, 1)
})

test('the log has the reason why an app was not authenticated', async () => {
  const code = randomGuid()
  const reasons = [
    ...(await rejections(() => exchange(code, demoRedirectUri, basic(demoApp.AppKey, wrongSecret)))),
    ...(await rejections(() => exchange(code, demoRedirectUri, basic(randomHex(), wrongSecret)))),
    ...(await rejections(() =>
      exchange(code, demoRedirectUri, basic('123456789abcdef0123456789abcdef0', wrongSecret)),
    )),
    ...(await rejections(() => postToken(url, { grant_type: 'authorization_code', code }, null))),
  ]
  assert.deepEqual(reasons, [
    'invalid_client: the secret is wrong, or not valid now',
    'invalid_client: no such app',
    'invalid_client: a secret was sent, but an app of the PKCE or Implicit flow has none',
    'invalid_client: no readable credentials',
  ])
})

test('the log has the reason of a rejected refresh token', async () => {
  const tokens = await obtainTokens(url)
  const form = new URLSearchParams({ token: tokens.refresh_token })
  await fetch(`${url}/revoke`, { method: 'POST', headers: { authorization: basic() }, body: form })
  const [reason] = await rejections(() => refresh(url, tokens.refresh_token))
  assert.equal(reason, 'invalid_grant: the session of the refresh token has ended')
})
