import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import {
  findUserByName,
  hasOperators,
  isOperator,
  writeOperator,
  writePassword,
  writeUserDisabled,
} from '../../../src/access/store/identities.ts'
import { addUser } from '../../../src/access/user-commands.ts'
import { changePassword, setOperator, setUserDisabled } from '../../../src/auth/commands/users.ts'
import { openDatabase, patientTimeouts } from '../../../src/database/open.ts'
import { resetCommand } from '../../../src/sim/commands.ts'
import { demoKey } from '../../support/demo.ts'
import { eventually } from '../../support/eventually.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { masterKey, serviceForFile, startService } from '../../support/service/service.ts'
import { codeRequest, obtainTokens, signIn, type TokenBody } from '../../support/sign-in.ts'
import { auditLog, callWith, statusOf } from './support.ts'

const service = await serviceForFile({ env: { SIM_CONTROLS: 'operators' } })
const { context } = service.node
const { db, clock } = context
const quiet = () => {}
const [ofOlga, ofAda] = ['the password of olga', 'the password of ada']
for (const secret of [ofOlga, ofAda]) noteSecret('password', secret)

const add = (wanted: { name: string; clientId: string; isOperator?: boolean }, password: string) =>
  addUser(db, wanted, async () => password, quiet, clock.now())
const tokenOf = async (user: string, password?: string) =>
  (await obtainTokens(service.url, { user, ...(password && { password }) })).access_token
const mayControl = async (node: typeof service, token: string) =>
  (await callWith(node, token)<{ MayControl: boolean }>('GET', '/x/v1/clock')).body.MayControl
const rejectsSignIn = (user: string, password?: string) =>
  assert.rejects(signIn(service.url, codeRequest, { user, ...(password && { password }) }))

async function reset(token: string): Promise<string> {
  const { status, body } = await callWith(service, token)<{ Session?: TokenBody }>('POST', '/x/v1/reset', {
    Confirm: 'reset',
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body.Session?.access_token ?? ''
}

test('no user of the demo is an operator; users operator adds and removes one on every node at once', async (t) => {
  for (const name of ['ada', 'bo', 'cy']) assert.equal(await isOperator(db, demoKey(`user ${name}`)), false)
  const token = await tokenOf('cy')
  const said: string[] = []
  const other = await startService({ besides: service, env: { SIM_CONTROLS: 'operators' } })
  // Not later: to follow the resets below would take it seconds.
  t.after(() => other.close())
  for (const isOn of [true, false]) {
    await setOperator(context, 'CY', isOn, (line) => said.push(line))
    for (const node of [service, other]) assert.equal(await mayControl(node, token), isOn)
  }
  const menu = 'The console menu changes at the next sign-in.'
  assert.deepEqual(said, [`User cy is now an operator. ${menu}`, `User cy is no longer an operator. ${menu}`])
  await assert.rejects(setOperator(context, 'nobody', true, quiet), /^Error: There is no user nobody\./)
  const kinds = (await auditLog(db)).map(({ kind }) => kind).filter((kind) => kind.startsWith('Operator'))
  assert.deepEqual(kinds, ['OperatorAdded', 'OperatorRemoved'])
})

test('a reset changes no password, enables no one and removes no operator', async () => {
  await add({ name: 'olga', clientId: '10001', isOperator: true }, ofOlga)
  await setOperator(context, 'ada', true, quiet)
  await changePassword(context, 'ada', async () => ofAda, quiet)
  await setUserDisabled(context, 'bo', true, quiet)

  const kept = await reset(await tokenOf('olga', ofOlga))

  assert.equal(await statusOf(service, kept), 200, 'the session of the operator continues')
  for (const [name, password] of [
    ['olga', ofOlga],
    ['ada', ofAda],
  ] as const)
    assert.equal(await mayControl(service, await tokenOf(name, password)), true, name)
  for (const name of ['ada', 'bo']) await rejectsSignIn(name)
  assert.equal(await mayControl(service, await tokenOf('cy')), false)
})

test('a reset gives the name of an operator to no one else, and makes no one an operator', async () => {
  await sql`delete from service_user where name in ('ada', 'bo')`.execute(db)
  await add({ name: 'Bo', clientId: '10002', isOperator: true }, ofAda)

  await reset(await tokenOf('olga', ofOlga))

  await rejectsSignIn('bo')
  assert.equal(await mayControl(service, await tokenOf('bo', ofAda)), true)
  assert.equal(await mayControl(service, await tokenOf('ada')), false, 'back with the password that everyone knows')
})

test('a reset gives the password of a user to no demo user of another client: it disables the demo user', async () => {
  await sql`delete from service_user where name = 'ada'`.execute(db)
  await add({ name: 'Ada', clientId: '10002' }, ofAda)

  await reset(await tokenOf('olga', ofOlga))

  for (const password of [ofAda, undefined]) await rejectsSignIn('ada', password)
  const { client_key: client, ...ada } = await db
    .selectFrom('service_user')
    .select(['name', 'client_key', 'disabled', 'is_operator'])
    .where('user_key', '=', demoKey('user ada'))
    .executeTakeFirstOrThrow()
  assert.deepEqual([ada, client], [{ name: 'ada', disabled: true, is_operator: false }, demoKey('client ada')])
})

/** For commands that wait for a lock of the test, however long that takes. */
const patient = openDatabase(service.database.connection, 6, { ...patientTimeouts, lock_timeout: 120_000 })
after(patient.close)

async function countWaiting(query: string): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${query}`.execute(db)
  return rows.length
}

/** Commands that ask for the lock of the history, again and again. */
async function countAsking(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and query like 'select pg_try_advisory_xact_lock%' and state like 'idle in%'
    `.execute(db)
  return rows.length
}

test('changes of users during a reset wait for it and stay; a sign-in does not wait', async () => {
  const command = { db: patient.db, clock, masterKey, environment: 'sim', isDemoOn: true }
  const changes = [
    () => setUserDisabled(command, 'cy', true, quiet),
    () => setOperator(command, 'olga', false, quiet),
    () => changePassword(command, 'bo', async () => ofOlga, quiet),
  ]

  const running = await patient.db.transaction().execute(async (trx) => {
    // A reset waits for this after it has read the users.
    await sql`select from reference_data for update`.execute(trx)
    const resetting = resetCommand(command, {}, quiet)
    await eventually(async () => (await countWaiting('%from reference_data for update')) || undefined)
    assert.ok(await tokenOf('cy'), 'signed in during the reset')
    let ended = 0
    const changing = changes.map((change) => change().then(() => ended++))
    const countHeld = async () => (await countWaiting('update "service_user"%')) + (await countAsking())
    const settled = async () => ended + (await countHeld()) === changes.length
    await eventually(async () => (await settled()) || undefined)
    // In an object, because they can only end after the commit.
    return { all: Promise.all([resetting, ...changing]) }
  })
  await running.all

  await rejectsSignIn('cy')
  assert.equal(await mayControl(service, await tokenOf('olga', ofOlga)), false)
  await rejectsSignIn('bo', ofAda)
  assert.ok(await tokenOf('bo', ofOlga))
})

test('a change of a user who was removed in the meantime is an error and is not audited', async () => {
  await add({ name: 'zoe', clientId: '10001' }, ofAda)
  const zoe = await findUserByName(db, 'zoe')
  assert.ok(zoe)
  const removed = { message: /^User zoe was removed in the meantime\. List the users with: refdesk users list$/ }
  const passwordChanges = async () => (await auditLog(db)).filter(({ kind }) => kind === 'PasswordChanged').length
  const before = await passwordChanges()
  const said: string[] = []

  const removeAndChoose = async () => {
    await db.deleteFrom('service_user').where('user_key', '=', zoe.userKey).execute()
    return ofOlga
  }
  const changing = changePassword(context, 'zoe', removeAndChoose, (line) => said.push(line))
  await assert.rejects(changing, removed)

  assert.deepEqual([await passwordChanges(), said], [before, []])
  const write = db.transaction()
  await assert.rejects(
    write.execute((trx) => writeUserDisabled(trx, zoe, true)),
    removed,
  )
  await assert.rejects(
    write.execute((trx) => writePassword(trx, zoe, 'a hash')),
    removed,
  )
  await assert.rejects(
    write.execute((trx) => writeOperator(trx, zoe, true)),
    removed,
  )
})

test('a disabled operator does not count as an operator', async () => {
  await setOperator(context, 'olga', true, quiet)
  assert.equal(await hasOperators(db), true)
  await db.updateTable('service_user').set({ disabled: true }).where('is_operator', '=', true).execute()
  assert.equal(await hasOperators(db), false)
})
