import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { approve, deactivate } from '../../../src/apps/commands/commands.ts'
import { create } from '../../../src/apps/commands/create.ts'
import { list } from '../../../src/apps/commands/list.ts'
import { rotate } from '../../../src/apps/commands/rotate.ts'
import { consoleApp } from '../../../src/apps/store/console-app.ts'
import { commandRunner } from '../../support/app-commands.ts'
import { type App, authenticates, callerFor, noon, ok } from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoKey } from '../../support/demo.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { databaseUrl, runCommand } from '../../support/service/process.ts'
import { masterKey, serviceForFile } from '../../support/service/service.ts'

const clock = new FixedClock(noon)
const service = await serviceForFile({ clock })
const { db, lastUsed } = service.node.context
const ada = await callerFor(service, 'ada')

const run = commandRunner(service)
const says = (sentence: string | RegExp) => (error: Error) => {
  if (typeof sentence === 'string') assert.equal(error.message, sentence)
  else assert.match(error.message, sentence)
  return true
}
const ofAda = ['--client', '10001', '--name', 'By Hand', '--flow']
const unknownKey = 'f'.repeat(32)

const accepts = (appKey: string, secret: string) => authenticates(service, appKey, secret)
const idsOf = async (appKey: string) =>
  ((await ok<App>(ada('GET', `/${appKey}`))).Secrets ?? []).map(({ SecretId }) => SecretId)
/** The last audit entry of an app, without times. */
const lastLogged = async (appKey: string) => {
  const { rows } = await sql<{ body: string }>`select body from (
    select 1 as part, seq as place, body from audit_log union all select 2, id, body from audit_inbox) logged
    where body::jsonb @> ${JSON.stringify({ kind: 'AppChanged', app: appKey })} order by part, place`.execute(db)
  const { at, recordedAt, ...entry } = JSON.parse(rows.at(-1)?.body ?? '{}') as Record<string, unknown>
  return entry
}

test('an app created by an operator belongs to its client, and its secret works immediately', async () => {
  const uris = ['--redirect-uri', 'https://app.example/', '--redirect-uri', 'https://intranet/?code=1']
  const { text, appKey, secret } = await run(create, [
    ...ofAda,
    'code',
    ...uris,
    '--trading',
    '--description',
    'A text.',
  ])
  assert.match(text, /^Created app By Hand for client 10001\.\n/)
  assert.match(text, /^Warning: https:\/\/intranet\/\?code=1: .+\.$/m)
  const app = await ok<App>(ada('GET', `/${appKey}`))
  assert.deepEqual(
    [app.Name, app.Description, app.Flow, app.IsTradingEnabled, app.Status, app.CreatedBy, app.RedirectUris.length],
    ['By Hand', 'A text.', 'Code', true, 'OK', undefined, 2],
  )
  assert.equal(app.Secrets?.[0]?.ValidUntil, '2027-11-16T12:00:00.000000Z')
  assert.ok(await accepts(appKey, secret))
  const detail = {
    created: true,
    name: 'By Hand',
    flow: 'Code',
    status: 'OK',
    trading: true,
    uri: uris.filter((word) => word.startsWith('https')).join(' '),
    secret: app.Secrets?.[0]?.SecretId,
  }
  assert.deepEqual(await lastLogged(appKey), { kind: 'AppChanged', app: appKey, detail })
})

test('reports an app without a redirect URI', async () => {
  const { text, secret } = await run(create, [...ofAda, 'PKCE'])
  assert.equal(secret, '')
  assert.match(text, /\nNo one can sign in to it yet: its owner must add a redirect URI\.$/)
})

test('reports all errors of a new app at once and creates nothing', async () => {
  const bad = ['--client', '10001', '--name', '<b>', '--flow', 'Code', '--redirect-uri', 'http://app.example/']
  const { rows } = await sql<{ count: number }>`select count(*) as count from app`.execute(db)
  await assert.rejects(
    run(create, [...bad, '--redirect-uri', 'https://a.example', '--redirect-uri', 'https://a.example/']),
    says(
      /^--name: .+\n--redirect-uri http:\/\/app\.example\/: .+\n--redirect-uri https:\/\/a\.example\/: Is given twice\./,
    ),
  )
  await assert.rejects(
    run(create, []),
    says(/^Required option '--client <id>' not specified\.\nUsage: refdesk apps create /),
  )
  await assert.rejects(
    run(create, ['--client', '10001', '--flow', 'Magic', '--redirect-uri', 'x']),
    says(/^Option '--flow <flow>' argument 'Magic' is invalid\. Choose one of: Code, PKCE, Implicit\.\n/),
  )
  await assert.rejects(
    run(create, ['--client', '99', '--name', 'None', '--flow', 'PKCE']),
    says('No client has the ClientId 99. List the clients with: refdesk clients list'),
  )
  await sql`insert into app (app_key, client_key, name, description, flow, created_at)
    select 'full ' || n, ${demoKey('client dee')}, 'Full', '', 'PKCE', now() from generate_series(1, 100) n`.execute(db)
  await assert.rejects(
    run(create, ['--client', '10003', '--name', 'One More', '--flow', 'PKCE']),
    says('The limit is 100 apps per client. Reuse an inactive one, or ask the operator of the service.'),
  )
  const after = await sql<{ count: number }>`select count(*) as count from app`.execute(db)
  assert.equal(after.rows[0]?.count, (rows[0]?.count ?? 0) + 100)
})

test('commands cannot change the app of the console', async () => {
  await assert.rejects(
    run(deactivate, [consoleApp.AppKey]),
    says('This is the app of the console, which commands cannot change.'),
  )
})

test('an approval grants a trading request, once', async () => {
  const { text, appKey } = await run(create, [...ofAda, 'Code', '--trading'], 'live')
  assert.match(text, new RegExp(`\\nIt may not trade yet\\. Approve it with: refdesk apps approve ${appKey}$`))
  assert.equal((await ok<App>(ada('GET', `/${appKey}`))).Status, 'Pending')
  await run(deactivate, [appKey])
  assert.match((await run(approve, [appKey])).text, /may trade\.\nIt is inactive; its owner can reactivate it now\.$/)
  const { Status, IsTradingEnabled } = await ok<App>(ada('GET', `/${appKey}`))
  assert.deepEqual([Status, IsTradingEnabled], ['OK', true])
  const detail = { approved: true, status: 'OK', onlineLevel: 'Trade', offlineLevel: 'Trade' }
  assert.deepEqual(await lastLogged(appKey), { kind: 'AppChanged', app: appKey, detail })
  await assert.rejects(run(approve, [appKey]), says(`App ${appKey} may already trade; there is nothing to approve.`))
  const reader = await run(create, [...ofAda, 'PKCE'])
  await assert.rejects(
    run(approve, [reader.appKey]),
    says(/ has not requested trading; there is nothing to approve\. /),
  )
  await assert.rejects(
    run(approve, [unknownKey]),
    says(`There is no app ${unknownKey}. List the apps with: refdesk apps list`),
  )
  await assert.rejects(run(approve, []), says(/^Missing required argument 'appkey'\.\nUsage: refdesk apps approve /))
})

test('after a rotation the old secret works until the overlap ends, and the new one works immediately', async () => {
  const { appKey, secret: old } = await run(create, [...ofAda, 'Code'])
  const [first] = await idsOf(appKey)
  const { text, secret } = await run(rotate, [appKey, '--overlap', '12h'])
  assert.match(text, /^Secret \d+ of app [0-9a-f]{32}, valid until 2027-11-16T12:00Z: [0-9a-f]{32}\n/)
  assert.match(text, new RegExp(`\\nExpires at 2026-11-17T00:00Z: secret ${first} \\(…${old.slice(-4)}\\)\\.$`))
  const at = clock.now()
  clock.advance(12 * 3_600 - 1)
  assert.deepEqual([await accepts(appKey, old), await accepts(appKey, secret)], [true, true])
  clock.advance(1)
  assert.deepEqual([await accepts(appKey, old), await accepts(appKey, secret)], [false, true])
  clock.advance(at.since(clock.now()).total('seconds'))
  const [, made] = await idsOf(appKey)
  const detail = { secret: made, added: true, othersEnd: '2026-11-17T00:00:00.000000Z' }
  assert.deepEqual(await lastLogged(appKey), { kind: 'AppChanged', app: appKey, detail })
  const next = await run(rotate, [appKey, '--overlap', '0h'])
  assert.deepEqual([await accepts(appKey, secret), await accepts(appKey, next.secret)], [false, true])
})

test('a rotation at the limit deletes expired secrets, and fails if there are none', async () => {
  const { appKey } = await run(create, [...ofAda, 'Code'])
  await sql`insert into app_secret (app_key, secret_sha256, valid_from, valid_until)
    select ${appKey}, sha256(n::text::bytea), ${noon}::timestamptz + make_interval(days => n - 8),
      ${noon}::timestamptz + make_interval(days => n - 1) from generate_series(1, 9) n`.execute(db)
  const ids = await idsOf(appKey)
  const { text } = await run(rotate, [appKey, '--overlap', '90m'])
  const [initial, ended = 0] = ids
  // The ninth starts in a day, after the overlap. The others stay, including the second, which has expired.
  assert.match(text, new RegExp(`: secrets ${initial} \\(….{4}\\), ${ids.slice(2, -1).join(', ')}\\.\\n`))
  assert.match(text, new RegExp(`\\nDeleted, because it would have started only after that: secret ${ids.at(-1)}\\.$`))
  assert.deepEqual((await idsOf(appKey)).slice(0, -1), ids.slice(0, -1))
  const full = await run(rotate, [appKey, '--overlap', '90m'])
  assert.match(full.text, new RegExp(`\\nDeleted to make room, because it had expired: secret ${ended}\\.$`))
  await assert.rejects(
    run(rotate, [appKey, '--overlap', '1d']),
    says(/ has 10 unexpired secrets, and the limit is 10\. /),
  )
  // For a leak: all of them end immediately, which makes room.
  const { secret } = await run(rotate, [appKey, '--overlap', '0h'])
  const { rows } =
    await sql`select from app_secret where app_key = ${appKey} and valid_until > ${noon}::timestamptz`.execute(db)
  assert.equal(rows.length, 1)
  assert.ok(await accepts(appKey, secret))
})

test('explains why a rotation is impossible', async () => {
  const { appKey } = await run(create, [...ofAda, 'Implicit'])
  const overlap = ['--overlap', '7d']
  await assert.rejects(
    run(rotate, [appKey, ...overlap]),
    says(`App ${appKey} uses the Implicit flow and has no secrets.`),
  )
  const code = await run(create, [...ofAda, 'Code'])
  for (const _ of [1, 2]) await run(deactivate, [code.appKey])
  const { rows: logged } =
    await sql`select from (select body from audit_log union all select body from audit_inbox) logged
    where body::jsonb @> ${JSON.stringify({ app: code.appKey, detail: { active: false } })}`.execute(db)
  assert.equal(logged.length, 1)
  await assert.rejects(
    run(rotate, [code.appKey, ...overlap]),
    says(/ is inactive\. Its owner must reactivate it first\.$/),
  )
  await assert.rejects(
    run(rotate, overlap),
    says(/^Missing required argument 'appkey'\.\nUsage: refdesk apps secret rotate /),
  )
  await assert.rejects(run(rotate, [appKey]), says(/^Required option '--overlap <duration>' not specified\./))
  await assert.rejects(
    run(rotate, [appKey, '--overlap', 'a week']),
    says('"a week" is not a duration. Send days, hours or minutes, such as 7d, 12h or 90m.'),
  )
})

test('lists every app with the validity and last use of its secrets', async () => {
  const made = await run(create, ['--client', '10002', '--name', 'Ægir', '--flow', 'Code', '--trading'])
  const longer = await run(create, ['--client', '10002', '--name', 'A Longer Name', '--flow', 'PKCE'])
  await sql`update app set created_at = created_at - interval '1 day', name = name || e'\\x1b' where app_key = ${longer.appKey}`.execute(
    db,
  )
  const rotated = await run(rotate, [made.appKey, '--overlap', '7d'])
  assert.ok(await accepts(made.appKey, rotated.secret))
  await lastUsed.flush()
  const { text } = await run(list, ['--client', '10002'])
  assert.equal(
    text.replaceAll(/secret \d+ /g, 'secret N '),
    [
      'Client 10002, Bo Berg',
      '  AppKey                            Name            Flow  Status  Active  Trading  URIs',
      `  ${made.appKey}  Ægir            Code  OK      yes     yes      0`,
      `    secret N (…${made.secret.slice(-4)})  2026-11-16T12:00Z to 2026-11-23T12:00Z  valid  never used`,
      `    secret N (…${rotated.secret.slice(-4)})  2026-11-16T12:00Z to 2027-11-16T12:00Z  valid  last used 2026-11-16T12:00Z`,
      `  ${longer.appKey}  A Longer Name\uFFFD  PKCE  OK      yes     no       0`,
    ].join('\n'),
  )
  assert.match((await run(list, [])).text, /^Client 10001, Ada Holding\n(.+\n)+Client 10002, Bo Berg\n/)
  assert.equal((await run(list, ['--client', '20001'])).text, 'Client 20001, Cy Capital\n  no apps')
  await assert.rejects(run(list, ['--client', '99']), says(/^No client has the ClientId 99\. /))
})

test('as a separate process a command parses its arguments and seals secrets like the service', async () => {
  const { appKey } = await run(create, [...ofAda, 'Code'])
  const DATABASE_URL = databaseUrl(service.database.connection)
  const env = { DATABASE_URL, MASTER_KEY: masterKey.toString('base64') }
  const { code, stdout } = await runCommand(['apps', 'secret', 'rotate', appKey, '--overlap', '7d'], env)
  assert.equal(code, 0)
  const secret = /^Secret.*: ([0-9a-f]{32})\n/m.exec(stdout)?.[1] ?? ''
  noteSecret('secret', secret)
  const { Secrets } = await ok<App>(ada('GET', `/${appKey}`))
  assert.equal(Secrets?.at(-1)?.Secret, secret)
})
