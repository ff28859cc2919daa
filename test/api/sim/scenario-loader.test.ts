import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setOperator } from '../../../src/auth/commands/users.ts'
import { demoKey } from '../../support/demo.ts'
import { importTexts, instrument, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { type Details, type ErrorBody, head, holdEverything, scenarioPath as path } from './scenario-support.ts'
import { type Call, callWith } from './support.ts'

const service = await serviceForFile({ reference: true })
const { connection } = service.database
const signIn = async (user: string) => callWith(service, (await obtainTokens(service.url, { user })).access_token)
const ada = await signIn('ada')
const adasAccount = demoKey('account 9226397')
const stock = { ...instrument(82_001), ExchangeId: 'NASDAQ' }

const post = <Body = Details>(records: object[], call: Call) => call<Body>('POST', path, { Text: lines(...records) })
const unload = async (name: string) => assert.equal((await ada('DELETE', `${path}/${name}`)).status, 204)
const key = (letter: string) => `${letter.repeat(21)}A==`
const group = (AccountGroupKey: string) => ({ AccountGroups: [{ AccountGroupKey, Name: 'G' }] })

test('a text brings users only into its own clients and the caller’s, and operators only by an operator', async () => {
  const UserKey = 'AAAAAAAAAAAAAAAAAAAABQ=='
  const user = {
    kind: 'user',
    UserKey,
    Name: 'zoe',
    ClientKey: (await ada<{ ClientKey: string }>('GET', '/port/v1/users/me')).body.ClientKey,
  }
  const cy = await signIn('cy')
  const foreign = await post<ErrorBody>([head('mine'), user], cy)
  assert.match(foreign.body.ModelState?.Text?.[0] ?? '', /^Text:2 user, field ClientKey: Must be your client/)
  const operator = await post<ErrorBody>([head('mine'), { ...user, Operator: true }], ada)
  assert.match(operator.body.ModelState?.Text?.[0] ?? '', /^Text:2 user, field Operator: Only an operator/)
  assert.equal((await post([head('mine'), user], ada)).status, 201)
  await unload('mine')
})

test('a text of a user who is no operator changes no client but its own and those that it brings', async () => {
  const isUnchanged = await holdEverything(connection)
  const cy = await signIn('cy')
  const clientOf = async (call: Call) => (await call<{ ClientKey: string }>('GET', '/port/v1/users/me')).body.ClientKey
  const [adas, own] = [await clientOf(ada), await clientOf(cy)]
  const client = { kind: 'client', ClientKey: key('A'), ClientId: '77', Name: 'C', ...group(key('B')) }
  const account = { kind: 'account', AccountKey: key('C'), AccountId: 'SC-1', Currency: 'USD', IsTrialAccount: true }
  const position = { kind: 'position', Uic: 82_001, AssetType: 'Stock', Amount: 1 }
  const right = { kind: 'accessRight', AssetTypes: ['Stock'], Level: 'Trade' }
  const event = { kind: 'event', EventId: 'SC-1', Holdings: [{ AccountKey: adasAccount }] }
  for (const [record, expected] of [
    [{ ...account, ClientKey: adas }, /account, field ClientKey: Must be your client, or one that the scenario/],
    [{ ...client, OwnerClientKey: adas }, /client, field OwnerClientKey: Must be your client, or/],
    [{ kind: 'app', AppKey: 'a'.repeat(32), ClientKey: adas }, /app, field ClientKey: Must be your client, or/],
    [{ ...right, ClientKey: adas }, /accessRight, field ClientKey: Must be a client that the scenario brings/],
    [{ ...right, ClientKey: own }, /accessRight, field ClientKey: Must be a client that the scenario brings/],
    [event, /event, field Holdings\[0\]\.AccountKey: Must be an account of your client, or one/],
    // It exists already, which is nothing for cy to know; an unknown account looks the same.
    [{ ...position, Uic: 1000, AccountKey: adasAccount }, /position, field AccountKey: Must be an account of your/],
    [{ ...position, AccountKey: key('D') }, /position, field AccountKey: Must be an account of your client/],
  ] as const) {
    const { status, body } = await post<ErrorBody>([head('mine'), stock, record], cy)
    assert.equal(status, 400, JSON.stringify(record))
    assert.equal(body.ModelState?.Text?.length, 1)
    assert.match(body.ModelState?.Text?.[0] ?? '', new RegExp(`^Text:3 ${expected.source}`))
  }
  const brought = [client, { ...account, AccountGroupKey: key('B'), ClientKey: key('A') }]
  const more = [
    { ...right, ClientKey: key('A') },
    { ...position, AccountKey: key('C') },
  ]
  const loaded = await post<ErrorBody>([head('mine'), stock, ...brought, ...more], cy)
  assert.equal(loaded.status, 201, JSON.stringify(loaded.body))
  await unload('mine')

  await setOperator(service.node.context, 'cy', true, () => {})
  const byOperator = await post([head('mine'), stock, { ...position, AccountKey: adasAccount }], cy)
  assert.equal(byOperator.status, 201, JSON.stringify(byOperator.body))
  await unload('mine')
  await setOperator(service.node.context, 'cy', false, () => {})
  await isUnchanged()
})

test('a text of a user who is no operator grants at most the rights that the user has', async () => {
  const bo = await signIn('bo')
  const own = (await bo<{ ClientKey: string }>('GET', '/port/v1/users/me')).body.ClientKey
  const client = { kind: 'client', ClientKey: key('E'), ClientId: '78', Name: 'E', OwnerClientKey: own }
  const account = { kind: 'account', AccountKey: key('F'), AccountId: 'SC-2', Currency: 'USD', ClientKey: key('E') }
  const right = { kind: 'accessRight', ClientKey: key('E'), Level: 'View' }
  const pair = `/ref/v1/instruments/details/4000/FxSpot?ClientKey=${encodeURIComponent(key('E'))}`
  const load = (...rights: object[]) => post<ErrorBody>([head('mine'), client, account, ...rights], bo)

  for (const more of [{}, { AssetTypes: ['Stock', 'FxSpot'] }, { AssetTypes: ['FxSpot'], ExchangeIds: ['NYSE'] }]) {
    const { status, body } = await load({ ...right, ...more })
    assert.equal(status, 400, `${JSON.stringify(more)} makes the pair ${(await bo('GET', pair)).status}`)
    assert.match(body.ModelState?.Text?.[0] ?? '', /^Text:4 accessRight: Grants more than your own rights/)
  }
  const within = [
    { AssetTypes: ['Stock'], Level: 'Trade' },
    { AssetTypes: ['Stock'], ExchangeIds: ['NYSE'] },
  ]
  const loaded = await load(...within.map((more) => ({ ...right, ...more })))
  assert.equal(loaded.status, 201, JSON.stringify(loaded.body))
  assert.equal((await bo('GET', pair)).status, 404)
  await unload('mine')
})

test('a user with rights of their own brings no user into the client, whose rights may be wider', async () => {
  const own = (await ada<{ ClientKey: string }>('GET', '/port/v1/users/me')).body.ClientKey
  const adasRight = { kind: 'accessRight', ClientKey: own, UserKey: demoKey('user ada'), AssetTypes: ['Stock'] }
  const user = { kind: 'user', UserKey: 'AAAAAAAAAAAAAAAAAAAABQ==', Name: 'zoe', ClientKey: own }
  const importRight = (more: object) =>
    importTexts(connection, { 'rights.ndjson': lines({ ...adasRight, Level: 'View', ...more }) })
  await importRight({})

  const { status, body } = await post<ErrorBody>([head('own-rights'), user], ada)

  await importRight({ delete: true })
  assert.equal(status, 400)
  assert.match(body.ModelState?.Text?.[0] ?? '', /^Text:2 user, field ClientKey: Must be a client that the scenario/)
})
