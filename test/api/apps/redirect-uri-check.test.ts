import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRedirectUri } from '../../../src/apps/rules/redirect-uri.ts'
import * as apps from '../../support/apps.ts'
import { serviceForFile } from '../../support/service/service.ts'

type Check = { IsAccepted: boolean; Refusals: string[]; Warnings: string[]; Origin?: string; Unicode?: string }

const service = await serviceForFile()
const ada = await apps.callerFor(service, 'ada')
const reader = await apps.readOnlyCaller(service, ada)
const address = (query: Record<string, string>) =>
  `${service.baseUrl}/x/v1/redirecturicheck?${new URLSearchParams(query)}`
const check = (Uri: string, Flow = 'Code', call = ada) => apps.ok<Check>(call('GET', address({ Uri, Flow })))

const uris = [
  'https://app.example/callback',
  'http://localhost/callback',
  'com.example.app:/callback',
  'https://app.example/a//b?code=1',
  'https://xn--bcher-kva.example/cb',
  'https://bücher.example/cb',
  'http://app.example/#part',
  'https://app.example/a b+c%20d',
  `https://app.example/${'a'.repeat(2_000)}`,
  '/callback',
]

test('checks an address like its creation does: same errors, same hints (operation 16)', async () => {
  const [code, pkce] = [await apps.makeApp(ada), await apps.makeApp(ada, { Flow: 'PKCE' })]
  for (const app of [code, pkce])
    for (const Uri of uris) {
      const response = await check(Uri, app.Flow)
      const checked = checkRedirectUri(Uri, app.Flow)
      const added = await ada('POST', `/${app.AppKey}/redirecturis`, { Uri })
      assert.equal(added.status, response.IsAccepted ? 201 : 400, Uri)
      assert.equal(added.headers.get('x-redirect-uri-hint') ?? '', response.Warnings.join(' '))
      assert.deepEqual('errors' in checked ? checked.errors : [], response.Refusals)
      // The schema rejects an address that is too long before the rule sees it.
      if (!response.IsAccepted && Uri.length <= 2_000) assert.deepEqual(added.body.ModelState?.Uri, response.Refusals)
    }
})

test('returns the origin in ASCII and Unicode, to a read-only token too', async () => {
  const accepted = { IsAccepted: true, Refusals: [] }
  assert.deepEqual(await check('https://app.example/cb', 'code', reader), {
    ...accepted,
    Warnings: [],
    Origin: 'https://app.example',
  })
  assert.deepEqual(await check('https://xn--bcher-kva.example/cb'), {
    ...accepted,
    Warnings: ['Its host is displayed as b\\u{fc}cher.example.'],
    Origin: 'https://xn--bcher-kva.example',
    Unicode: 'https://bücher.example',
  })
  assert.equal((await check('com.example.app:/cb', 'PKCE')).Origin, 'com.example.app:')
  const rejected = await check(`https://app.example/${'a'.repeat(20_000)}`)
  assert.deepEqual(rejected, { IsAccepted: false, Refusals: ['Is longer than 2000 characters.'], Warnings: [] })
})

test('rejects a request without an address, a flow or a token', async () => {
  const bad: [Record<string, string>, ...string[]][] = [
    [{}, 'Uri', 'Flow'],
    [{ Uri: '', Flow: 'Code' }, 'Uri'],
    [{ Uri: 'https://app.example/\0', Flow: 'Code' }, 'Uri'],
    [{ Uri: 'https://app.example/', Flow: 'Device' }, 'Flow'],
  ]
  for (const [query, ...fields] of bad)
    await apps.expectError(ada('GET', address(query)), 400, 'InvalidModelState', ...fields)
  const response = await apps.callerWith(service, '')('GET', address({ Uri: 'https://app.example/', Flow: 'Code' }))
  assert.equal(response.status, 401)
})
