import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { isOperator } from '../../../src/access/store/identities.ts'
import { addUser } from '../../../src/access/user-commands.ts'
import { changePassword, setOperator, setUserDisabled } from '../../../src/auth/commands/users.ts'
import { demoKey } from '../../support/demo.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { codeRequest, obtainTokens, signIn, type TokenBody } from '../../support/sign-in.ts'
import { auditLog, callWith, statusOf } from './support.ts'

const service = await serviceForFile({ env: { SIM_CONTROLS: 'operators' } })
const other = await serviceForFile({ besides: service, env: { SIM_CONTROLS: 'operators' } })
const { context } = service.node
const { db, clock } = context
const quiet = () => {}
const [ofOlga, ofAda] = ['the password of olga', 'the password of ada']
for (const secret of [ofOlga, ofAda]) noteSecret('password', secret)

const addOperator = (name: string, password: string) =>
  addUser(db, { name, clientId: '10001', isOperator: true }, async () => password, quiet, clock.now())
const tokenOf = async (user: string, password?: string) =>
  (await obtainTokens(service.url, { user, ...(password && { password }) })).access_token
const mayControl = async (node: typeof service, token: string) =>
  (await callWith(node, token)<{ MayControl: boolean }>('GET', '/x/v1/clock')).body.MayControl
const rejectsSignIn = (user: string) => assert.rejects(signIn(service.url, codeRequest, { user }))

async function reset(token: string): Promise<string> {
  const { status, body } = await callWith(service, token)<{ Session?: TokenBody }>('POST', '/x/v1/reset', {
    Confirm: 'reset',
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body.Session?.access_token ?? ''
}

test('no user of the demo is an operator; users operator makes and unmakes one on every node at once', async () => {
  for (const name of ['ada', 'bo', 'cy']) assert.equal(await isOperator(db, demoKey(`user ${name}`)), false)
  const token = await tokenOf('cy')
  const said: string[] = []
  for (const isOn of [true, false]) {
    await setOperator(context, 'CY', isOn, (line) => said.push(line))
    for (const node of [service, other]) assert.equal(await mayControl(node, token), isOn)
  }
  assert.deepEqual(said, ['User cy is an operator now.', 'User cy is no operator now.'])
  await assert.rejects(setOperator(context, 'nobody', true, quiet), /^Error: There is no user nobody\./)
  const kinds = (await auditLog(db)).map(({ kind }) => kind).filter((kind) => kind.startsWith('Operator'))
  assert.deepEqual(kinds, ['OperatorAdded', 'OperatorRemoved'])
})

test('a reset changes no password, enables no one and removes no operator', async () => {
  await addOperator('olga', ofOlga)
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
  await addOperator('Bo', ofAda)

  await reset(await tokenOf('olga', ofOlga))

  await rejectsSignIn('bo')
  assert.equal(await mayControl(service, await tokenOf('bo', ofAda)), true)
  assert.equal(await mayControl(service, await tokenOf('ada')), false, 'back with the password that everyone knows')
})
