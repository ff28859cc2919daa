import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { demoApp, demoRedirectUri } from '../support/demo.ts'
import { behindProxy, guessedService, statuses, tenTimes, times } from '../support/guessing.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { startService } from '../support/service/service.ts'
import { basic, signInForCode, type TokenBody } from '../support/sign-in.ts'

const { clock, service, url, newAddress, trySecret, tryPassword } = await guessedService()

describe('the audit log has', () => {
  type Entry = { kind: string; address?: string; app?: string; user?: string; detail?: { count: number } }

  /** Everything that this address caused, after the minute is over. */
  const logged = async (address: string): Promise<Entry[]> => {
    const { db, refusals } = service.node.context
    clock.advance(60)
    await refusals.flush()
    const { rows } = await sql<{
      body: string
    }>`select body from audit_inbox union all select body from audit_log`.execute(db)
    return rows.map(({ body }) => JSON.parse(body) as Entry).filter((entry) => entry.address === address)
  }
  const summary = async (address: string) =>
    (await logged(address)).map(({ kind, app, detail }) => [kind, app, detail?.count])

  test('wrong passwords and blocks as one entry each, with their count', async () => {
    const address = newAddress()
    assert.deepEqual(statuses(await times(14, () => tryPassword('erin', 'wrong password', address))), [
      ...tenTimes(401),
      ...[429, 429, 429, 429],
    ])
    assert.deepEqual(await summary(address), [
      ['SignInRefused', demoApp.AppKey, 10],
      ['AttemptsBlocked', demoApp.AppKey, 4],
    ])
  })

  test('wrong secrets and blocks as one entry each, with their count', async () => {
    const address = newAddress()
    await times(14, () => trySecret('wrong', address))
    assert.deepEqual(await summary(address), [
      ['SecretRefused', demoApp.AppKey, 10],
      ['AttemptsBlocked', demoApp.AppKey, 4],
    ])
  })

  test('unknown apps as one entry, however many keys a caller makes up', async () => {
    const address = newAddress()
    const keys = Array.from({ length: 150 }, () => randomBytes(16).toString('hex'))
    for (const appKey of keys) await trySecret('wrong', address, appKey)
    assert.deepEqual(await summary(address), [
      ['SecretRefused', undefined, 100],
      ['AttemptsBlocked', undefined, 50],
    ])
  })

  test('the known user of a wrong password, in an entry of its own', async () => {
    const address = newAddress()
    await times(2, () => tryPassword('bo', 'wrong password', address))
    await times(3, () => tryPassword('fritz', 'wrong password', address))
    const { db } = service.node.context
    const { user_key } = await db
      .selectFrom('service_user')
      .select('user_key')
      .where('name', '=', 'bo')
      .executeTakeFirstOrThrow()
    const entries = (await logged(address)).map(({ user, detail }) => [user, detail?.count])
    assert.deepEqual(entries, [
      [user_key, 2],
      [undefined, 3],
    ])
  })

  test('codes and refresh tokens that are rejected again and again as one entry', async () => {
    const address = newAddress()
    const redirect_uri = demoRedirectUri
    const post = (form: Record<string, string>) =>
      fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: basic(), 'x-forwarded-for': address },
        body: new URLSearchParams(form),
      }).then((response) => response.json() as Promise<TokenBody>)
    const code = await signInForCode(url)
    const exchange = { grant_type: 'authorization_code', code, redirect_uri }
    const { refresh_token } = await post(exchange)
    noteSecret('refresh token', refresh_token)
    await times(5, () => post(exchange))
    await times(5, () => post({ grant_type: 'refresh_token', refresh_token }))
    const kinds = await summary(address)
    assert.deepEqual(kinds.toSorted(), [
      ['CodeExchanged', demoApp.AppKey, undefined],
      ['CodeReplayed', demoApp.AppKey, undefined],
      ['GrantRefused', demoApp.AppKey, 9],
    ])
  })

  test('what a node counted when it stops', async () => {
    const address = newAddress()
    const other = await startService({ besides: service, env: behindProxy })
    await tryPassword('erin', 'wrong password', address, other.url)
    await other.close()
    assert.deepEqual(await summary(address), [['SignInRefused', demoApp.AppKey, 1]])
  })
})
