import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { endAccess } from '../../src/access/store/sessions.ts'
import { changePassword, setUserDisabled } from '../../src/auth/commands/users.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { hashPassword } from '../../src/core/crypto/passwords.ts'
import type { Trx } from '../../src/database/open.ts'
import { consoleCookie } from '../support/browser/console-cookie.ts'
import { demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { exportText, importTexts, lines } from '../support/service/import.ts'
import { serviceForFile, type TestService } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  codeRequest,
  getRest,
  obtainTokens,
  postToken,
  readForm,
  refresh,
  signInForCode,
} from '../support/sign-in.ts'

const one = await serviceForFile()
const two = await serviceForFile({ besides: one })
const { db, feed } = one.node.context
const { context } = one.node

const client = { kind: 'client', ClientKey: randomEntityKey(), ClientId: '700', Name: 'Seven' }
const account = {
  kind: 'account',
  AccountKey: randomEntityKey(),
  AccountId: '701',
  ClientKey: client.ClientKey,
  Currency: 'EUR',
}
const right = { kind: 'accessRight', ClientKey: client.ClientKey, Level: 'Trade' }
const user = { kind: 'user', UserKey: randomEntityKey(), Name: 'sven', ClientKey: client.ClientKey }
let passwords = 0
function newPassword(): string {
  const password = `a password of sven, number ${passwords++}`
  noteSecret('password', password)
  return password
}

async function load(...records: object[]) {
  const { errors, counts } = await importTexts(one.database.connection, { 'f.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  await feed.poll()
  return counts
}

const makeCalendar = (token: string) =>
  fetch(`${one.baseUrl}/x/v1/calendars`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({}),
  })

type Held = Awaited<ReturnType<typeof everythingOf>>

/** Whatever a user can have: a sign-in, a session, a code, a private calendar, a page of the console. */
async function everythingOf(password: string) {
  const browser = new Browser()
  const credentials = { user: 'sven', password }
  const tokens = await obtainTokens(one.url, { ...credentials, browser })
  const code = await signInForCode(one.url, codeRequest, credentials)
  const calendar = (await (await makeCalendar(tokens.access_token)).json()) as { Address: string }
  noteSecret('calendar address', calendar.Address.slice(-36, -4))
  return { browser, tokens, code, calendar, ...(await consoleCookie(one, 'sven')) }
}

const statusOn = async (node: TestService, token: string) =>
  (await getRest(node.baseUrl, '/port/v1/users/me', token)).status
const calendarStatus = async ({ calendar }: Held) => (await fetch(calendar.Address)).status
const consoleStatus = async ({ cookie }: Held) =>
  (await fetch(`${one.url}/console/sessions`, { headers: { cookie }, redirect: 'manual' })).status
/** Whether the browser gets a code without a password. */
async function isSignedIn({ browser }: Held): Promise<boolean> {
  const location = (await browser.fetch(authorizeUrl(one.url, codeRequest))).headers.get('location') ?? ''
  const code = new URL(location, one.url).searchParams.get('code')
  if (code) noteSecret('code', code)
  return code !== null
}
const exchange = ({ code }: Held) =>
  postToken(one.url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri })

async function assertAllWorks(held: Held): Promise<void> {
  assert.deepEqual(await Promise.all([one, two].map((node) => statusOn(node, held.tokens.access_token))), [200, 200])
  assert.deepEqual([await calendarStatus(held), await consoleStatus(held), await isSignedIn(held)], [200, 200, true])
}

async function assertAllEnded(held: Held): Promise<void> {
  await feed.poll()
  assert.equal(await statusOn(one, held.tokens.access_token), 401)
  await eventually(async () => (await statusOn(two, held.tokens.access_token)) === 401 || undefined)
  assert.equal((await refresh(one.url, held.tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await exchange(held)).body.error, 'invalid_grant')
  assert.deepEqual([await calendarStatus(held), await isSignedIn(held)], [404, false])
  assert.equal(await consoleStatus(held), 303)
}

test('importing a user with another password ends everything of that user, on every node', async () => {
  const [first, second] = [newPassword(), newPassword()]
  await load(client, account, right, { ...user, Password: first })
  const held = await everythingOf(first)
  await assertAllWorks(held)

  assert.deepEqual(await load({ ...user, Password: second }), { user: { changed: 1 } })

  await assertAllEnded(held)
  assert.equal(await statusOn(one, (await everythingOf(second)).tokens.access_token), 200)
})

test('importing the same password or its hash again ends nothing', async () => {
  const password = newPassword()
  await load({ ...user, Password: password })
  const held = await everythingOf(password)

  assert.deepEqual(await load({ ...user, Password: password }), { user: { unchanged: 1 } })
  const records = (await exportText(one.database.connection, ['user'])).trim().split('\n')
  const record = records.map((line) => JSON.parse(line)).find(({ Name }) => Name === 'sven')
  assert.deepEqual(await load({ kind: 'user', ...record, MarketDataViaOpenApiTermsAccepted: true }), {
    user: { changed: 1 },
  })

  await assertAllWorks(held)
  assert.equal((await exchange(held)).status, 200)
})

test('users password changes the password and ends everything of the user', async () => {
  const [first, second] = [newPassword(), newPassword()]
  await load({ ...user, Password: first })
  const held = await everythingOf(first)
  const said: string[] = []
  const change = (password: string | undefined) =>
    changePassword(
      context,
      'SVEN',
      async () => password,
      (line) => said.push(line),
    )
  await assert.rejects(change('short'), /^Error: The password is too short\. Use at least 8 characters\./)
  await assert.rejects(change('x'.repeat(1_001)), /^Error: The password is too long\. Use at most 1000 characters\./)
  await assert.rejects(change(undefined), /^Error: No password was given\./)
  await assertAllWorks(held)

  assert.equal(await change(second), 0)

  assert.match(said.join('\n'), /^The password of sven was changed; \d sessions ended\.$/)
  await assertAllEnded(held)
  assert.equal(await statusOn(one, (await everythingOf(second)).tokens.access_token), 200)
  const { rows } = await sql<{
    body: string
  }>`select body from audit_inbox union all select body from audit_log`.execute(db)
  const logged = rows.map(({ body }) => JSON.parse(body)).filter(({ kind }) => kind === 'PasswordChanged')
  assert.deepEqual(
    logged.map((entry) => [entry.user, entry.userName]),
    [[user.UserKey, 'sven']],
  )
})

test('the calendars of a disabled user stay ended when the user is enabled again', async () => {
  const password = newPassword()
  await load({ ...user, Password: password })
  const setDisabled = (disabled: boolean) => setUserDisabled(context, 'sven', disabled, () => {})
  const importDisabled = (Disabled: boolean) => load({ ...user, Password: password, Disabled })
  for (const set of [setDisabled, importDisabled]) {
    const held = await everythingOf(password)
    assert.equal(await calendarStatus(held), 200)
    await set(true)
    await set(false)
    assert.equal(await calendarStatus(held), 404)
    await assertAllEnded(held)
  }
})

test('enabling a user who is not disabled ends nothing', async () => {
  const password = newPassword()
  await load({ ...user, Password: password })
  const held = await everythingOf(password)
  await setUserDisabled(context, 'sven', false, () => {})
  assert.equal(await calendarStatus(held), 200)
})

/** Starts a request while a transaction has changed the user, and commits when the request waits for it or has ended. */
async function whileChanging(change: (trx: Trx) => Promise<unknown>, send: () => Promise<Response>): Promise<Response> {
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  }
  return db
    .transaction()
    .execute(async (trx) => {
      await change(trx)
      let hasEnded = false
      const response = send().finally(() => {
        hasEnded = true
      })
      await eventually(async () => hasEnded || (await waiting()) || undefined)
      // Outside the transaction's promise: it can only end after the commit.
      return { response }
    })
    .then(({ response }) => response)
}

const otherHash = await hashPassword(newPassword())

async function changeUser(trx: Trx): Promise<void> {
  const change = trx.updateTable('service_user').set({ password_hash: otherHash })
  await change.where('user_key', '=', user.UserKey).execute()
  await endAccess(trx, user.UserKey, 'password changed', context.clock.now())
}

test('a sign-in with the old password during the change is rejected', async () => {
  const password = newPassword()
  await load({ ...user, Password: password })
  const browser = new Browser()
  const start = await browser.fetch(authorizeUrl(one.url, codeRequest))
  const form = await readForm(await browser.fetch(`${one.url}${start.headers.get('location')}`))
  const body = new URLSearchParams({ form_token: form.formToken, decision: 'allow', user: 'sven', password })

  const answer = await whileChanging(changeUser, () =>
    browser.fetch(new URL(form.action, one.url).href, { method: 'POST', body }),
  )

  assert.equal(answer.status, 401)
  const alive = db.selectFrom('sign_in').select('sign_in_id').where('user_key', '=', user.UserKey)
  assert.deepEqual(await alive.where('ended_at', 'is', null).execute(), [])
})

test('a session that ends during the creation of a calendar creates none', async () => {
  const password = newPassword()
  await load({ ...user, Password: password })
  const { access_token } = await obtainTokens(one.url, { user: 'sven', password })

  const answer = await whileChanging(changeUser, () => makeCalendar(access_token))

  assert.equal(answer.status, 401)
  assert.deepEqual(await db.selectFrom('calendar').select('name').where('user_key', '=', user.UserKey).execute(), [])
})
