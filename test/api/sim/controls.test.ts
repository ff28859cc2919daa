import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { isOperator } from '../../../src/access/store/identities.ts'
import { addUser } from '../../../src/access/user-commands.ts'
import { setOperator } from '../../../src/auth/commands/users.ts'
import { consoleCookie } from '../../support/browser/console-cookie.ts'
import { demoApp, demoKey } from '../../support/demo.ts'
import { exportText, importTexts, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { type Clock, callWith, Traveller } from './support.ts'

const service = await serviceForFile({ env: { SIM_CONTROLS: 'operators' } })
const open = await serviceForFile({ besides: service, env: { SIM_CONTROLS: 'everyone' } })
const { context } = service.node
await setOperator(context, 'ada', true, () => {})
const signIn = async (user: string, node = service) =>
  new Traveller(node, (await obtainTokens(node.url, { user })).access_token)
const fault = `/x/v1/faults/${demoApp.AppKey}`

test('only operators may change the clock, inject faults, reset and use snapshots', async () => {
  const bo = await signIn('bo')
  for (const [method, path, body] of [
    ['PUT', '/x/v1/clock', { AdvanceSeconds: 60 }],
    ['DELETE', '/x/v1/clock', undefined],
    ['PUT', fault, { Kind: 'Slow' }],
    ['DELETE', fault, undefined],
    ['POST', '/x/v1/reset', { Confirm: 'reset' }],
    ['GET', '/x/v1/snapshots', undefined],
    ['PUT', '/x/v1/snapshots/mine', undefined],
    ['POST', '/x/v1/snapshots/mine/restore', undefined],
    ['DELETE', '/x/v1/snapshots/mine', undefined],
    ['PUT', '/x/v1/scenarios/tender-offer', undefined],
    ['POST', '/x/v1/scenarios', { Text: '{}' }],
    ['DELETE', '/x/v1/scenarios/tender-offer', undefined],
    ['PUT', '/x/v1/positions', { User: 'bo', Symbol: 'AAPL:xnas', Amount: 1 }],
  ] as const) {
    const { status, body: error } = await bo.call<{ ErrorCode: string; Message: string }>(method, path, body)
    assert.deepEqual([status, error.ErrorCode], [403, 'RequestNotAllowed'], `${method} ${path}`)
    assert.match(error.Message, /^Only operators .*SIM_CONTROLS=operators.*refdesk users operator NAME$/)
  }
  assert.equal(context.clock.travelCount, 0)
  const { status, body } = await bo.call<Clock & { MayControl: boolean }>('GET', '/x/v1/clock')
  assert.deepEqual([status, body.MayControl], [200, false])
  assert.equal((await bo.call('GET', '/x/v1/faults')).status, 200)
  assert.equal((await bo.call('POST', '/x/v1/daytoken')).status, 201, 'affects only its caller')

  const ada = await signIn('ada')
  assert.equal((await ada.call<{ MayControl: boolean }>('GET', '/x/v1/clock')).body.MayControl, true)
  await ada.travel({ AdvanceSeconds: 60 })
  await ada.home()
  assert.equal((await ada.call('PUT', fault, { Kind: 'Slow', Group: 'ca' })).status, 200)
  assert.equal((await ada.call('DELETE', fault)).status, 204)
})

test('keys of what a scenario brought are only for those who may load it', async () => {
  await sql`insert into scenario select 'mine', 'T', 'S', 'V', 'L', now(), 1,
    '[{"kind":"position","AccountKey":"secret","Uic":1000,"AssetType":"Stock"}]'`.execute(context.db)
  const recordsOf = async (user: string, node = service) =>
    (await (await signIn(user, node)).call<{ Records: object[] }>('GET', '/x/v1/scenarios/mine')).body.Records
  const Keys = ['secret 1000 Stock']
  assert.deepEqual(await recordsOf('bo'), [{ Kind: 'position', Count: 1, Keys: [] }])
  assert.deepEqual(await recordsOf('ada'), [{ Kind: 'position', Count: 1, Keys }])
  assert.deepEqual(await recordsOf('bo', open), [{ Kind: 'position', Count: 1, Keys }])
  await sql`delete from scenario`.execute(context.db)
})

test('everyone may if the setting says so', async () => {
  const bo = await signIn('bo', open)
  assert.equal((await bo.call<{ MayControl: boolean }>('GET', '/x/v1/clock')).body.MayControl, true)
  await bo.travel({ AdvanceSeconds: 60 })
  await bo.home()
})

test('the console shows controls only to users who may use them', async () => {
  const cookies = { bo: await consoleCookie(service, 'bo'), ada: await consoleCookie(service, 'ada') }
  const page = async (user: keyof typeof cookies, path = '') => {
    const { cookie } = cookies[user]
    return (await fetch(`${service.url}/console/sim${path}`, { headers: { cookie } })).text()
  }
  const both = async (user: keyof typeof cookies) => (await page(user, '/faults')) + (await page(user))
  const [ofBo, ofAda] = [await both('bo'), await both('ada')]
  assert.match(ofBo, /Only operators may change the clock/)
  assert.doesNotMatch(ofBo, /Set time|Inject fault<|Reset everything/)
  assert.doesNotMatch(ofAda, /Only operators/)
  assert.match(ofAda, /Inject fault<.*Set time.*Reset everything/s)

  const [listOfBo, listOfAda] = [await page('bo', '/scenarios'), await page('ada', '/scenarios')]
  assert.match(listOfBo, /Only operators may .*load scenarios.*A tender offer due tomorrow/s)
  assert.doesNotMatch(listOfBo, /<form method="post" action="\/console\/sim/)
  assert.match(listOfAda, /action="\/console\/sim\/scenarios\/load"/)

  for (const path of ['scenarios/load', 'scenarios/unload', 'scenarios/own', 'scenarios/give', 'snapshots']) {
    const { cookie, formToken } = cookies.bo
    const fields = { name: 'tender-offer', Text: '{}', User: 'bo', Symbol: 'AAPL:xnas', Amount: '1' }
    const body = new URLSearchParams({ form_token: formToken, ...fields })
    const response = await fetch(`${service.url}/console/sim/${path}`, { method: 'POST', headers: { cookie }, body })
    assert.equal(response.status, 403, path)
    assert.match(await response.text(), /Not allowed/)
  }
})

/** Changes the clock on the console page. Returns the response and the cookies that it sets. */
async function travel(step: string) {
  const { cookie, formToken } = await consoleCookie(service, 'ada')
  const body = new URLSearchParams({ form_token: formToken, step })
  const address = `${service.url}/console/sim/clock`
  const { status, headers } = await fetch(address, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
  return { status, cookies: headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '') }
}

test('what a travel changed is shown only to the user who travelled', async () => {
  const { status, cookies } = await travel('back')
  const kept = cookies.find((each) => each.startsWith('refdesk_travel='))
  assert.equal(status, 303)
  assert.ok(kept)

  const pageOf = async (user: string) => {
    const { cookie } = await consoleCookie(service, user)
    const headers = { cookie: `${cookie}; ${kept}` }
    return (await fetch(`${service.url}/console/sim?changed=1`, { headers })).text()
  }
  assert.match(await pageOf('ada'), /<h2>What changed<\/h2>/)
  assert.doesNotMatch(await pageOf('bo'), /What changed/)

  assert.equal((await travel('real')).status, 303)
})

test('a travel does not depend on what is compared before and after it', async () => {
  const ada = await signIn('ada')
  for (const Group of ['ref', 'developer']) {
    const unavailable = { Kind: 'Unavailable', Percent: 100, ForSeconds: 3_600, Group }
    assert.equal((await ada.call('PUT', fault, unavailable)).status, 200)
    assert.equal((await travel('real')).status, 303, Group)
    assert.equal((await ada.call('DELETE', fault)).status, 204)
  }
})

test('a record or users add makes an operator; the export has it, and responses do not', async () => {
  const records = (await exportText(service.database.connection, ['user']))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(records.map(({ Name, Operator }) => [Name, Operator]).sort(), [
    ['ada', true],
    ['bo', undefined],
    ['cy', undefined],
  ])
  const cy = records.find(({ Name }) => Name === 'cy')
  const change = async (record: object) => {
    const { counts, errors } = await importTexts(service.database.connection, {
      'cy.ndjson': lines({ kind: 'user', ...record }),
    })
    assert.deepEqual(errors, [])
    return counts.user
  }
  assert.deepEqual(await change({ ...cy, Operator: false }), { unchanged: 1 })
  assert.deepEqual(await change({ ...cy, Operator: true }), { changed: 1 })
  assert.equal(await isOperator(context.db, demoKey('user cy')), true)
  assert.deepEqual(await change(cy), { changed: 1 })
  assert.equal(await isOperator(context.db, demoKey('user cy')), false)
  assert.equal(await isOperator(context.db, 'unknown'), false)

  const said: string[] = []
  const wanted = { name: 'olga', clientId: '10001', isOperator: true }
  await addUser(
    context.db,
    wanted,
    async () => 'a long password',
    (line) => said.push(line),
    context.clock.now(),
  )
  assert.equal(await isOperator(context.db, /UserKey (\S+)\)/.exec(said[0] ?? '')?.[1] ?? ''), true)
  const me = await callWith(service, (await signIn('ada')).token)<object>('GET', '/port/v1/users/me')
  assert.ok(!('Operator' in me.body))
})
