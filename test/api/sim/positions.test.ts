import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setOperator } from '../../../src/auth/commands/users.ts'
import { giveCommand } from '../../../src/sim/positions/commands.ts'
import { demoKey } from '../../support/demo.ts'
import { exportText } from '../../support/service/import.ts'
import { masterKey, serviceForFile } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import type { ErrorBody } from './scenario-support.ts'
import { auditLog, callWith } from './support.ts'

type Position = { AccountId: string; AccountKey: string; Uic: number; AssetType: string; Amount: number }

const service = await serviceForFile({ reference: true })
const { connection } = service.database
const { context } = service.node
const { db, clock } = context
const signIn = async (user: string) => callWith(service, (await obtainTokens(service.url, { user })).access_token)
const ada = await signIn('ada')
const path = '/x/v1/positions'
const apple = { User: 'ada', Symbol: 'AAPL:xnas', AssetType: 'Stock' }
const accountKey = demoKey('account 9226398')

const recordsOf = async (account: string, uic: number) =>
  (await exportText(connection, ['position']))
    .split('\n')
    .filter((line) => line.includes(`"${account}"`) && line.includes(`"Uic":${uic},"AssetType":"Stock"`))
    .map((line) => JSON.parse(line) as Position & { From?: string })
const errorOf = async (body: object, call = ada) => {
  const { status, body: error } = await call<ErrorBody>('PUT', path, body)
  assert.deepEqual([status, error.ErrorCode], [400, 'InvalidModelState'], JSON.stringify(error))
  return Object.values(error.ModelState ?? {}).join(' ')
}

test('sets a position without a start date, in place of all that the account had, and 0 removes it', async () => {
  const uic = 1000
  const record = { kind: 'position', AccountKey: accountKey, Uic: uic, AssetType: 'Stock' }
  await sql`insert into position (account_key, uic, asset_type, held_from, held_until, amount) values
    (${accountKey}, ${uic}, 'Stock', '-infinity', '2026-11-01', 7), (${accountKey}, ${uic}, 'Stock', '2026-11-01', 'infinity', 9)
    on conflict do nothing`.execute(db)

  const { status, body } = await ada<Position>('PUT', path, { ...apple, Amount: 12.5, Account: '9226398' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.AccountKey, body.Uic, body.Amount], [accountKey, uic, 12.5])
  assert.deepEqual(await recordsOf(accountKey, uic), [{ ...record, Amount: 12.5 }])
  await ada('PUT', path, { ...apple, Amount: 0, Account: accountKey })
  assert.deepEqual(await recordsOf(accountKey, uic), [])

  const first = await ada<Position>('PUT', path, { ...apple, Amount: 3 })
  assert.equal(first.body.AccountId, '9226397', 'the first account that may trade it')
  const entries = (await auditLog(db)).filter(({ kind }) => kind === 'PositionSet')
  const [entry] = entries
  assert.equal(entries.length, 3)
  assert.ok(entry?.app && entry.address)
  assert.deepEqual(entry.detail, { owner: 'ada', account: '9226398', uic, assetType: 'Stock', amount: 12.5 })
})

test('shows at once in the holdings of an event', async () => {
  const { rows } = await sql<{ symbol: string; asset_type: string }>`select i.symbol, e.asset_type from event e
    join instrument i using (uic) where event_id = 'CA7109655-1811'`.execute(db)
  const [{ symbol, asset_type } = assert.fail()] = rows
  const wanted = { User: 'ada', Symbol: symbol, AssetType: asset_type, Account: '9226397', Amount: 77_777 }
  const { status, body } = await ada<Position>('PUT', path, wanted)
  assert.equal(status, 200, JSON.stringify(body))
  const query = new URLSearchParams({ EventId: 'CA7109655-1811', AccountKey: body.AccountKey })
  const holdings = await ada<object>('GET', `/ca/v2/holdings?${query}`)
  assert.match(JSON.stringify(holdings.body), /:77777[,}]/)
})

test('an unknown or ambiguous name is an error that lists the choices', async () => {
  const wanted = { ...apple, Amount: 1 }
  assert.match(await errorOf({ ...wanted, User: 'nobody' }), /^There is no user nobody\. Choose one of: ada, bo\.$/)
  assert.match(await errorOf({ ...wanted, Symbol: 'aapl' }), /symbol aapl\. Choose one of: .*AAPL:xnas/)
  assert.match(await errorOf({ ...wanted, Account: '9400001' }), /no account 9400001\. Choose one of: 9226397, 9226398/)
  assert.match(await errorOf({ ...wanted, AssetType: 'Bond' }), /not offered as Bond\. Choose one of: .*Stock/)
  assert.match(await errorOf({ User: 'ada', Symbol: 'AAPL:xnas', Amount: 1 }), /several asset types\. .*CfdOnStock/)
  for (const body of [{}, { ...wanted, Amount: 'many' }, { ...wanted, Uic: 1000 }]) await errorOf(body)
})

test('users of sub-clients can be named; one of another client looks like an unknown one, but not to an operator', async () => {
  assert.equal((await ada<Position>('PUT', path, { ...apple, User: 'bo', Amount: 4 })).status, 200)
  const bo = await signIn('bo')
  const sentence = async (User: string) => (await errorOf({ ...apple, User, Amount: 4 }, bo)).replace(User, 'NAME')
  assert.equal(await sentence('ada'), 'There is no user NAME. Choose one of: bo.')
  assert.equal(await sentence('ada'), await sentence('nobody'))
  assert.match(await errorOf({ ...apple, User: 'cy', Amount: 4 }), /^There is no user cy/)
  await setOperator(context, 'ada', true, () => {})
  assert.equal((await ada('PUT', path, { ...apple, User: 'cy', Amount: 4 })).status, 200)
  assert.match(await errorOf({ ...apple, User: 'nobody', Amount: 4 }), /Choose one of: ada, bo, cy/)
})

test('the command sets a position of any user and explains errors', async () => {
  const deps = { db, clock, masterKey, secrets: service.config.secrets }
  const said: string[] = []
  const give = (amount: string, user = 'cy', options: object = { assetType: 'Stock' }) =>
    giveCommand(deps, { user, symbol: 'AAPL:xnas', amount }, options, (line) => said.push(line))
  assert.equal(await give('40'), 0)
  assert.equal(await give('-5', 'cy', { assetType: 'CfdOnStock' }), 0)
  assert.equal(await give('0', 'cy', { assetType: 'CfdOnStock' }), 0)
  assert.equal(await give('0'), 0)
  assert.deepEqual(said, [
    'Account 9400001 of cy holds 40 of AAPL:xnas (Stock).',
    'Account 9400001 of cy is short 5 of AAPL:xnas (CfdOnStock).',
    'Account 9400001 of cy no longer holds AAPL:xnas (CfdOnStock).',
    'Account 9400001 of cy no longer holds AAPL:xnas (Stock).',
  ])
  await assert.rejects(give('40', 'nobody'), /^Error: There is no user nobody\. Choose one of: ada, bo, cy/)
  for (const amount of ['', 'many', '1e99']) await assert.rejects(give(amount), /^Error: Must be/)
})

test('is no imported data: a reset works', async () => {
  assert.equal((await ada('POST', '/x/v1/reset', { Confirm: 'reset' })).status, 200)
})
