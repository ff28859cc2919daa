import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findUserByName, isOperator } from '../../../src/access/store/identities.ts'
import { addUser } from '../../../src/access/user-commands.ts'
import { changePassword, setOperator } from '../../../src/auth/commands/users.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { listSnapshotsCommand, snapshotCommand } from '../../../src/sim/snapshot-commands.ts'
import { restoreSnapshot as restoreIn } from '../../../src/sim/snapshots.ts'
import {
  differences,
  readTables,
  restoreSnapshot,
  type Snapshot,
  saveSnapshot,
} from '../../support/database/snapshots.ts'
import { demoRedirectUri } from '../../support/demo.ts'
import { eventually } from '../../support/eventually.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { serviceForFile, startService } from '../../support/service/service.ts'
import { basic, codeRequest, obtainTokens, postToken, refresh, signIn, signInForCode } from '../../support/sign-in.ts'
import { callWith, signInTraveller, statusOf, type Travelled } from './support.ts'

type ErrorBody = { ErrorCode: string; Message: string; ModelState?: object }

const service = await serviceForFile()
const other = await serviceForFile({ besides: service })
const { context } = service.node
const { db, clock } = context
const command = { db, clock, environment: 'sim' }
const quiet = () => {}
const own = await obtainTokens(service.url)
const ada = callWith(service, own.access_token)
const statuses = (token: string) => Promise.all([service, other].map((node) => statusOf(node, token)))
const introspect = async (token: string): Promise<object> => {
  const headers = { authorization: basic(), 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(`${service.url}/introspect`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ token }),
  })
  return (await response.json()) as object
}
const eventuallyEverywhere = (token: string, status: number) =>
  eventually(async () => (await statuses(token)).every((one) => one === status) || undefined)

test('sessions of before the snapshot work, also those that ended since; those made after it do not', async () => {
  const [ended, signedOut] = [await obtainTokens(service.url), await obtainTokens(service.url, { user: 'bo' })]
  await saveSnapshot(ada, 'sessions')
  const sessions = await ada<{ Data: { SessionId: string; IsCurrent: boolean }[] }>('GET', '/x/v1/sessions')
  assert.ok(sessions.body.Data.length >= 2)
  await callWith(service, signedOut.access_token)('DELETE', '/x/v1/sessions')
  await eventuallyEverywhere(signedOut.access_token, 401)
  const after = await obtainTokens(service.url)
  assert.deepEqual(await statuses(after.access_token), [200, 200])

  const { IsSessionKept } = await restoreSnapshot(ada, 'sessions')

  assert.equal(IsSessionKept, true)
  assert.equal(await statusOf(service, after.access_token), 401)
  await eventuallyEverywhere(after.access_token, 401)
  for (const { access_token } of [own, ended, signedOut]) assert.deepEqual(await statuses(access_token), [200, 200])
  assert.equal((await refresh(service.url, after.refresh_token)).body.error, 'invalid_grant')
})

test('a refresh token and a code that were spent after the snapshot are unspent', async () => {
  const tokens = await obtainTokens(service.url)
  const code = await signInForCode(service.url)
  await saveSnapshot(ada, 'spent')
  const redeem = (node = service) =>
    postToken(node.url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri })
  const [rotated, redeemed] = [await refresh(service.url, tokens.refresh_token), await redeem()]
  assert.deepEqual([rotated.status, redeemed.status], [200, 200])

  await restoreSnapshot(ada, 'spent')

  assert.equal((await refresh(service.url, rotated.body.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await refresh(other.url, tokens.refresh_token)).status, 200)
  assert.equal((await redeem(other)).status, 200)
  await eventuallyEverywhere(redeemed.body.access_token, 401)
})

test('access tokens that a session got after the snapshot do not work after its restore, those of before do', async () => {
  const tokens = await obtainTokens(service.url)
  const before = (await refresh(service.url, tokens.refresh_token)).body
  await saveSnapshot(ada, 'issued')
  const rotated = (await refresh(service.url, before.refresh_token)).body
  const call = callWith(service, before.access_token)
  const { body: day } = await call<{ AccessToken: string }>('POST', '/x/v1/daytoken')
  const { body: travelled } = await call<Travelled>('PUT', '/x/v1/clock', { AdvanceSeconds: 1 })
  const later = [rotated.access_token, day.AccessToken, travelled.Session.access_token]
  await saveSnapshot(ada, 'later')
  for (const token of later) await eventuallyEverywhere(token, 200)

  await restoreSnapshot(ada, 'issued')

  for (const token of later) {
    assert.equal(await statusOf(service, token), 401)
    await eventuallyEverywhere(token, 401)
    assert.deepEqual(await introspect(token), { active: false })
  }
  const again = (await refresh(service.url, before.refresh_token)).body
  for (const { access_token } of [tokens, before, again]) assert.deepEqual(await statuses(access_token), [200, 200])
  const restarted = await startService({ besides: service })
  for (const token of later) assert.equal(await statusOf(restarted, token), 401)
  assert.equal(await statusOf(restarted, before.access_token), 200)
  await restarted.close()

  await restoreSnapshot(ada, 'later')

  for (const token of later) await eventuallyEverywhere(token, 200)
  await eventuallyEverywhere(again.access_token, 401)
})

test('a caller whose session is not in the snapshot is told that it has ended', async () => {
  await saveSnapshot(ada, 'without')
  const later = callWith(service, (await obtainTokens(service.url)).access_token)

  assert.equal((await restoreSnapshot(later, 'without')).IsSessionKept, false)

  assert.equal((await later('GET', '/port/v1/users/me')).status, 401)
  assert.equal(await statusOf(service, own.access_token), 200)
})

test('the clock goes on from the time of the snapshot, or is stopped at it', async () => {
  const traveller = await signInTraveller(service)
  const { Now } = await traveller.travel({ Now: '2026-12-01T10:00:00Z', Frozen: true })
  const frozen = await saveSnapshot(traveller.call, 'frozen')
  assert.deepEqual([frozen.Now, frozen.Frozen], [Now, true])
  await traveller.travel({ AdvanceSeconds: 1_000, Frozen: false })
  const running = await saveSnapshot(traveller.call, 'running')
  await traveller.home()

  for (const saved of [frozen, running]) {
    await snapshotCommand(command, 'restore', saved.Name, quiet)
    for (const { node } of [service, other]) {
      await node.context.feed.poll()
      const { shift } = node.context.clock
      const seconds = Temporal.Instant.from(saved.Now).until(node.context.clock.now()).total('seconds')
      assert.equal(shift.frozenAt !== undefined, saved.Frozen)
      assert.ok(saved.Frozen ? seconds === 0 : seconds >= 0 && seconds < 900, `${seconds}`)
    }
  }
  assert.equal(await statusOf(other, traveller.token), 401, 'issued at another time, after the snapshot')
  await snapshotCommand(command, 'restore', 'without', quiet)
})

test('no one becomes an operator, and operators keep their password and stay', async () => {
  const [ofEve, ofAda] = ['the password of eve', 'another password of ada']
  for (const secret of [ofEve, ofAda]) noteSecret('password', secret)
  await setOperator(context, 'cy', true, quiet)
  await saveSnapshot(ada, 'operators')
  await setOperator(context, 'cy', false, quiet)
  await setOperator(context, 'ada', true, quiet)
  await changePassword(context, 'ada', async () => ofAda, quiet)
  await changePassword(context, 'bo', async () => ofAda, quiet)
  const eve = { name: 'eve', clientId: '10001', isOperator: true }
  await addUser(db, eve, async () => ofEve, quiet, clock.now())

  await snapshotCommand(command, 'restore', 'operators', quiet)

  const operators = await Promise.all(
    ['ada', 'bo', 'cy', 'eve'].map(async (name) => isOperator(db, (await findUserByName(db, name))?.userKey ?? '')),
  )
  assert.deepEqual(operators, [true, false, false, true])
  for (const [user, password] of [
    ['ada', ofAda],
    ['eve', ofEve],
    ['bo', undefined],
  ] as const)
    assert.ok(await signIn(service.url, codeRequest, { user, ...(password && { password }) }))
  await assert.rejects(signIn(service.url, codeRequest, { user: 'ada' }))
  await setOperator(context, 'ada', false, quiet)
  await snapshotCommand(command, 'restore', 'operators', quiet)
})

test('unknown names, other versions and names that are not allowed', async () => {
  for (const [method, path] of [
    ['POST', '/x/v1/snapshots/nothing/restore'],
    ['DELETE', '/x/v1/snapshots/nothing'],
  ] as const) {
    const { status, body } = await ada<ErrorBody>(method, path)
    assert.deepEqual([status, body.ErrorCode], [404, 'NoResultFound'])
  }
  await assert.rejects(
    snapshotCommand(command, 'delete', 'nothing', quiet),
    /There is no snapshot nothing\. List them with/,
  )
  for (const name of ['.hidden', 'a%20b', 'x'.repeat(65)]) {
    const { status, body } = await ada<ErrorBody>('PUT', `/x/v1/snapshots/${name}`)
    assert.deepEqual([status, body.ErrorCode], [400, 'InvalidModelState'], name)
  }
  await assert.rejects(snapshotCommand(command, 'save', 'a b', quiet), /begins with a letter or a digit/)
  await assert.rejects(snapshotCommand({ ...command, environment: 'live' }, 'save', 'a', quiet), /sim environment only/)

  await saveSnapshot(ada, 'old')
  await sql`update snapshot set migration = 1 where name = 'old'`.execute(db)
  const { status, body } = await ada<ErrorBody>('POST', '/x/v1/snapshots/old/restore')
  assert.deepEqual([status, body.ErrorCode], [409, 'OtherVersion'])
  assert.match(body.Message, /^Snapshot old was saved by another version of refdesk/)
  const listed = await ada<{ Data: Snapshot[] }>('GET', '/x/v1/snapshots')
  assert.equal(listed.body.Data.find(({ Name }) => Name === 'old')?.IsRestorable, false)
  const said: string[] = []
  await listSnapshotsCommand(command, (line) => said.push(line))
  const json: string[] = []
  await listSnapshotsCommand(command, (line) => json.push(line), true)
  assert.deepEqual(
    json.map((line) => JSON.parse(line)),
    listed.body.Data,
  )
  assert.match(said.join('\n'), /^old .* MB {2}of another version: cannot be restored$/m)
  assert.equal((await ada('DELETE', '/x/v1/snapshots/old')).status, 204)
})

test('there are at most 20; saving under the same name replaces', async () => {
  await sql`delete from snapshot`.execute(db)
  for (let at = 1; at <= 20; at++) await saveSnapshot(ada, `s${at}`)
  const { status, body } = await ada<ErrorBody>('PUT', '/x/v1/snapshots/s21')
  assert.deepEqual([status, body.ErrorCode], [409, 'LimitReached'])
  const again = await saveSnapshot(ada, 's1')
  const { body: listed } = await ada<{ Data: Snapshot[] }>('GET', '/x/v1/snapshots')
  assert.deepEqual([listed.Data.length, listed.Data.at(-1)], [20, again])
  await sql`delete from snapshot where name <> 's1'`.execute(db)
})

test('a restore that is cut off changes nothing; several at once wait for each other', async () => {
  await saveSnapshot(ada, 'whole')
  await sql`update service_user set fields = '{"Name": "Changed"}'`.execute(db)
  await obtainTokens(service.url)
  const before = await readTables(db)
  const alone = openDatabase(service.database.connection, 1)
  const call = { db: alone.db, clock, name: 'whole', audit: {} }
  const cut = restoreIn(call, async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
    await sql`select 1`.execute(trx)
  })
  await assert.rejects(cut)
  await alone.close()
  assert.deepEqual(differences(before, await readTables(db)), [])

  const restored = await Promise.all([1, 2, 3].map(() => restoreSnapshot(ada, 'whole')))

  assert.deepEqual(
    restored.map(({ IsSessionKept }) => IsSessionKept),
    [true, true, true],
  )
  assert.notDeepEqual(differences(before, await readTables(db)), [])
})
