import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { demoApp, demoPassword, demoRedirectUri } from '../support/demo.ts'
import { serviceForFile } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  codeRequest,
  getRest,
  obtainTokens,
  postToken,
  readForm,
  signIn,
} from '../support/sign-in.ts'

const many = { RATE_LIMITS: 'on', RATE_LIMIT_SESSION_MINUTE: '4', RATE_LIMIT_USER_SESSIONS: '3' }
const service = await serviceForFile({ env: { ...many, RATE_LIMIT_SIGNINS_MINUTE: '1000' } })
const few = await serviceForFile({ env: { RATE_LIMITS: 'on', RATE_LIMIT_SIGNINS_MINUTE: '5' }, besides: service })
/** Windows end during tests. Within these tries some minute is long enough, however busy the machine is. */
const tries = 100

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid

/** A silent sign-in by a browser that is signed in. */
async function silentSignIn(url: string, browser: Browser): Promise<URLSearchParams> {
  const answer = await browser.fetch(authorizeUrl(url, { ...codeRequest, prompt: 'none' }))
  return new URL(answer.headers.get('location') ?? '').searchParams
}

async function newSession(url: string, browser: Browser): Promise<string> {
  const code = (await silentSignIn(url, browser)).get('code')
  assert.ok(code)
  const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
  return (await postToken(url, form)).body.access_token
}

const remaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-session-remaining'))

for (const [path, user] of [
  ['/port/v1/users/me', 'ada'],
  ['/ref/v1/exchanges', 'cy'],
] as const)
  test(`new sessions are no way around the limits of ${path}: a user with one app has those of a few sessions`, async () => {
    const browser = new Browser()
    await signIn(service.url, codeRequest, { user, browser })
    const ask = async (token: string) => {
      const answer = await getRest(service.baseUrl, path, token)
      await answer.arrayBuffer()
      return answer
    }
    const rejectedDespiteSession = async () => {
      for (let session = 0; session < tries; session++) {
        const token = await newSession(service.url, browser)
        let answer = await ask(token)
        while (answer.status === 200) answer = await ask(token)
        assert.equal(answer.status, 429)
        if (remaining(answer) > 0) return answer
      }
      return undefined
    }
    const answer = await rejectedDespiteSession()
    assert.ok(answer, 'every new session had all of its requests')
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  })

/** Signs in silently until the minute has had enough sign-ins. */
async function useUpMinute(browser: Browser): Promise<URLSearchParams> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const result = await silentSignIn(few.url, browser)
    if (!result.has('code')) return result
  }
  throw new Error('every silent sign-in was granted')
}

test('a user has a limited number of new sessions a minute; the app learns when to try again', async () => {
  const browser = new Browser()
  await signIn(few.url, codeRequest, { browser })

  const result = await useUpMinute(browser)

  assert.equal(result.get('error'), 'temporarily_unavailable')
  assert.match(
    result.get('error_description') ?? '',
    /^Too many sign-ins of this user within a minute\. Try again in \d+ s/,
  )
  assert.equal(result.get('state'), codeRequest.state)
})

test('the limit also applies to right passwords, and to no other user', async () => {
  const browser = new Browser()
  await signIn(few.url, codeRequest, { user: 'bo', browser })
  const errorOfPassword = async () => {
    const other = new Browser()
    const form = await readForm(await other.fetch(`${few.url}/login?${new URLSearchParams(codeRequest)}`))
    const fields = { form_token: form.formToken, user: 'bo', password: demoPassword, decision: 'allow' }
    const answer = await other.fetch(`${few.url}${form.action}`, { method: 'POST', body: new URLSearchParams(fields) })
    return new URL(answer.headers.get('location') ?? '').searchParams.get('error')
  }

  let error: string | null = null
  for (let tried = 0; tried < tries && error === null; tried++) {
    await useUpMinute(browser)
    error = await errorOfPassword()
  }

  assert.equal(error, 'temporarily_unavailable')
  await obtainTokens(few.url, { user: 'cy' })
})

test('of too many sessions of a user with an app the oldest ends, which is audited', async () => {
  const { db } = service.node.context
  const { access_token } = await obtainTokens(service.url, { user: 'bo' })
  const statusOf = async () => (await getRest(service.baseUrl, '/port/v1/users/me', access_token)).status
  assert.equal(await statusOf(), 200)
  const mine = sql`user_key = (select user_key from service_user where name = 'bo') and app_key = ${demoApp.AppKey}`
  const { rows } = await sql<{ session_id: string }>`
    update session set start_order = null, created_at = created_at - interval '1 day' where ${mine} and ended_at is null
    and created_at = (select max(created_at) from session where ${mine} and ended_at is null)
    returning session_id`.execute(db)
  await sql`
    insert into session (session_id, user_key, app_key, created_at, expires_at, address, user_agent)
    select 'filler ' || number, user_key, ${demoApp.AppKey}, now() - interval '1 hour', now() + interval '1 day', '', ''
    from service_user, generate_series(1, 499) number where name = 'bo'`.execute(db)

  await obtainTokens(service.url, { user: 'bo' })

  const { rows: live } = await sql`select 1 from session where ${mine} and ended_at is null`.execute(db)
  assert.equal(live.length, 500)
  assert.equal(await statusOf(), 401)
  const { rows: logged } = await sql<{ body: string }>`
    select body from audit_inbox union all select body from audit_log`.execute(db)
  const entries = logged.map(({ body }) => JSON.parse(body) as { kind: string; session?: string; detail?: object })
  assert.deepEqual(
    entries.filter(({ kind, session }) => kind === 'SessionRevoked' && session === rows[0]?.session_id).length,
    1,
  )
})

test('after a time travel back, the session that started last is not taken for the oldest', async () => {
  const { db } = service.node.context
  const user = 'cy'
  await sql`
    insert into session (session_id, user_key, app_key, created_at, expires_at, address, user_agent)
    select 'later ' || number, user_key, ${demoApp.AppKey}, now() + interval '1 year', now() + interval '2 years', '', ''
    from service_user, generate_series(1, 500) number where name = ${user}`.execute(db)
  const tokens = [await obtainTokens(service.url, { user }), await obtainTokens(service.url, { user })]

  await obtainTokens(service.url, { user })

  const { rows } = await sql<{ session_id: string }>`select session_id from session where ended_at is not null`.execute(
    db,
  )
  const ended = new Set(rows.map(({ session_id }) => session_id))
  assert.ok(ended.has('later 1'))
  for (const { access_token } of tokens) assert.ok(!ended.has(sessionOf(access_token)))
})
