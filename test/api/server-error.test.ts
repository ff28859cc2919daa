import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { serviceForFile } from '../support/service/service.ts'
import { authorizeUrl, Browser, codeRequest, getRest, obtainTokens, refresh } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl } = service
const { db } = service.node.context

/** Causes an internal error, as a bug would: renames a table. */
async function without<T>(table: string, act: () => Promise<T>): Promise<T> {
  await sql`alter table ${sql.table(table)} rename to away`.execute(db)
  try {
    return await act()
  } finally {
    await sql`alter table away rename to ${sql.table(table)}`.execute(db)
  }
}

test('an internal error at /authorize goes to the app as server_error with the state, without details', async () => {
  const browser = new Browser()
  await obtainTokens(url, { browser })
  const answer = await without('consent', () => browser.fetch(authorizeUrl(url, codeRequest)))
  const result = new URL(answer.headers.get('location') ?? '')
  assert.equal(`${result.origin}${result.pathname}`, codeRequest.redirect_uri)
  assert.equal(result.searchParams.get('error'), 'server_error')
  assert.equal(result.searchParams.get('state'), codeRequest.state)
  assert.doesNotMatch(result.search, /consent|relation/)
})

test('an internal error at /token is 500 server_error, and nothing is consumed', async () => {
  const tokens = await obtainTokens(url)
  const { status, body } = await without('audit_inbox', () => refresh(url, tokens.refresh_token))
  assert.deepEqual([status, body.error], [500, 'server_error'])
  assert.doesNotMatch(body.error_description ?? '', /audit|relation/)
  assert.equal((await refresh(url, tokens.refresh_token)).status, 200)
})

test('an internal error at a REST call is 500 InternalError with a fixed text', async () => {
  const { access_token } = await obtainTokens(url)
  const answer = await without('access_right', () => getRest(baseUrl, '/port/v1/users/me', access_token))
  const body = (await answer.json()) as { ErrorCode: string; Message: string }
  assert.deepEqual([answer.status, body.ErrorCode], [500, 'InternalError'])
  assert.doesNotMatch(body.Message, /access_right/)
})

test('an internal error at /login is a page', async () => {
  const answer = await without('sign_in', () =>
    new Browser().fetch(`${url}/login?${new URLSearchParams(codeRequest)}`, {
      headers: { cookie: 'refdesk_signin=x' },
    }),
  )
  assert.equal(answer.status, 500)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.doesNotMatch(await answer.text(), /relation/)
})
