import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { sql } from 'kysely'
import { consoleApp, ensureConsoleApp } from '../../src/apps/store/console-app.ts'
import { consoleCookie } from '../support/browser/console-cookie.ts'
import { demoApp } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile, startService, type TestService } from '../support/service/service.ts'
import { auditLog } from './sim/support.ts'

const service = await serviceForFile({ reference: true, env: { TRUST_PROXY: '127.0.0.3' } })
const { db } = service.node.context

/** Posts a console form from a local address. */
async function post(path: string, form: Record<string, string>, more: { from?: string; headers?: object } = {}) {
  const { cookie, formToken } = await consoleCookie(service)
  const body = new URLSearchParams({ form_token: formToken, ...form }).toString()
  const { port } = new URL(service.url)
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', ...more.headers }
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers, localAddress: more.from ?? '127.0.0.1' },
      async (response) => {
        const text = (await Array.fromAsync(response)).join('')
        for (const [token] of text.matchAll(/eyJ[\w.-]+/g)) noteSecret('access token', token)
        resolve({ status: response.statusCode ?? 0, text })
      },
    )
    sent.on('error', reject).end(body)
  })
}

const newestAddress = async (): Promise<string | undefined> =>
  (await auditLog(db)).findLast(({ kind }) => kind === 'DemoTokenIssued')?.address

test('console calls have the address of the user, also behind a trusted proxy', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  for (const [from, headers, address] of [
    ['127.0.0.2', {}, '127.0.0.2'],
    ['127.0.0.3', forwarded, '203.0.113.9'],
    ['127.0.0.2', forwarded, '127.0.0.2'],
  ] as const) {
    assert.equal((await post('/console/token', {}, { from, headers })).status, 200)
    assert.equal(await newestAddress(), address)
  }
})

test('rejects dot segments in form values', async () => {
  const live = async () =>
    (await db.selectFrom('session').select('session_id').where('ended_at', 'is', null).execute()).length
  const before = await live()
  for (const session of ['', '.', '..', '%2e%2e']) await post('/console/sessions/end', { session })
  const secret = `/console/apps/${demoApp.AppKey}/secrets/%2e%2e/delete`
  assert.ok((await post(secret, { tag: '*' })).status >= 400)
  const app = await service.node.context.directory.find(demoApp.AppKey)
  assert.equal(app?.isActive, true)
  assert.equal(await live(), before + 5, 'one session per form')
})

test('a search shows its own words, also if another finds the same instruments', async () => {
  const { cookie } = await consoleCookie(service)
  for (const words of ['apple inc', 'APPLE INC', 'apple inc']) {
    const page = await fetch(`${service.url}/console/instruments?Keywords=${encodeURIComponent(words)}`, {
      headers: { cookie },
    })
    assert.match(await page.text(), new RegExp(`data-summary="[^"]* for “${words}”"`))
  }
})

test('the console’s app is restored at the next start', async () => {
  await sql`update app set is_active = false, client_key = (select client_key from client limit 1), online_level = 'Read'
    where app_key = ${consoleApp.AppKey}`.execute(db)
  await sql`insert into redirect_uri (app_key, uri) values (${consoleApp.AppKey}, 'https://other.example/')`.execute(db)
  await ensureConsoleApp(db, service.config.publicUrl, service.clock.now())
  const app = await db.selectFrom('app').selectAll().where('app_key', '=', consoleApp.AppKey).executeTakeFirst()
  assert.deepEqual(
    [app?.is_active, app?.client_key, app?.online_level, app?.offline_level, app?.flow],
    [true, null, 'Trade', 'Trade', 'PKCE'],
  )
  const uris = await db.selectFrom('redirect_uri').select('uri').where('app_key', '=', consoleApp.AppKey).execute()
  assert.deepEqual(uris, [{ uri: `${service.config.publicUrl}/console/callback` }])
})

test('completes a page that is in progress when the service closes', async () => {
  const closing: TestService = await startService({ besides: service })
  const { cookie } = await consoleCookie(closing)
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // The page waits for this lock.
  const held = db.transaction().execute(async (trx) => {
    await sql`lock table consent in access exclusive mode`.execute(trx)
    await released
  })
  const page = fetch(`${closing.url}/console/sessions`, { headers: { cookie } })
  while (closing.node.server.requestsInFlight < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  const closed = closing.close()
  release()
  const response = await page
  assert.equal(response.status, 200)
  assert.match(await response.text(), /Authorized apps/)
  await Promise.all([held, closed])
})
