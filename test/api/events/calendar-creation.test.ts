import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomHex } from '../../../src/core/crypto/keys.ts'
import { demoKey, demoRedirectUri } from '../../support/demo.ts'
import { calendarService, type Made, tokenOf, trial } from '../../support/events/calendar-service.ts'
import { importApp } from '../../support/import-app.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { masterKey } from '../../support/service/service.ts'
import { basic, codeRequest, postToken, signInForCode } from '../../support/sign-in.ts'

const { clock, db, url, browser, ada, bo, send, make, withdraw, list } = await calendarService()

describe('making a calendar address', () => {
  test('needs a read-write token to be created', async () => {
    const reader = { AppKey: randomHex(), Secret: randomHex() }
    noteSecret('secret', reader.Secret)
    const app = {
      ...reader,
      ClientKey: demoKey('client ada'),
      Name: 'Reader',
      Description: '',
      IsTradingEnabled: false,
    }
    await importApp(db, masterKey, { ...app, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())
    const code = await signInForCode(url, { ...codeRequest, client_id: reader.AppKey }, { browser })
    const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
    const { access_token } = (await postToken(url, form, basic(reader.AppKey, reader.Secret))).body
    assert.equal((await send('POST', '', access_token, {})).status, 403)
    assert.equal((await send('DELETE', `/${randomHex()}`, access_token)).status, 403)
    assert.equal((await send('GET', '', access_token)).status, 200)
    assert.equal((await send('POST', '', 'none', {})).status, 401)
  })

  test('rejects filters that a list of events rejects, and unknown fields', async () => {
    const rejected: [object, string[]][] = [
      [
        { Name: '', Filters: { EventTypes: ['NONE'], EventStates: 'Confirmed' } },
        ['Filters.EventStates', 'Filters.EventTypes[0]', 'Name'],
      ],
      [{ Filters: { FromExDate: '2026-12-02', ToExDate: '2026-12-01' } }, ['Filters.FromExDate']],
      [{ Filters: { $top: 5 }, Token: 'mine' }, ['Filters.$top', 'Token']],
      [{ Name: 'a\u0000b', Filters: { Keywords: 'a\u0000b' } }, ['Filters.Keywords', 'Name']],
      [{ Filters: { AccountKey: 'x' } }, ['Filters.AccountKey']],
    ]
    for (const [body, fields] of rejected) {
      const response = await send('POST', '', ada, body)
      const { ErrorCode, ModelState } = (await response.json()) as Made
      assert.deepEqual([response.status, ErrorCode], [400, 'InvalidModelState'])
      assert.deepEqual(Object.keys(ModelState ?? {}).sort(), fields)
    }
    const unseen: [string, string][] = [
      ['ClientKey', 'client cy'],
      ['AccountKey', 'account 9400001'],
      ['AccountKey', 'account 9300101'],
      ['AccountKey', 'account unheard of'],
      ['AccountGroupKey', 'group cy Trading'],
    ]
    for (const [name, key] of unseen) {
      const response = await send('POST', '', ada, { Filters: { [name]: demoKey(key) } })
      const { Message } = (await response.json()) as { Message: string }
      assert.deepEqual([response.status, Message], [404, `${name} was not found, or you may not see it.`])
    }
    assert.deepEqual(await list(), [])
  })

  test('is limited to twenty per user, also under concurrency', async () => {
    const responses = await Promise.all(Array.from({ length: 22 }, () => send('POST', '', bo, trial)))
    const bodies = (await Promise.all(responses.map((response) => response.json()))) as Made[]
    const made = bodies.filter(({ Address }) => Address !== undefined)
    for (const each of made) noteSecret('calendar address', tokenOf(each))
    assert.equal(made.length, 20)
    const rejected = responses.flatMap(({ status }, index) =>
      status === 201 ? [] : [[status, bodies[index]?.ErrorCode]],
    )
    assert.deepEqual(rejected, [
      [409, 'LimitReached'],
      [409, 'LimitReached'],
    ])
    assert.equal((await list(bo)).length, 20)
    const [first] = made
    assert.ok(first)
    assert.equal((await withdraw(first, bo)).status, 204)
    noteSecret('calendar address', tokenOf(await make({}, bo)))
  })
})
