import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomHex } from '../../src/core/crypto/keys.ts'
import { demoKey, demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { importApp } from '../support/import-app.ts'
import { readOk } from '../support/reference/rest.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { importTexts, lines } from '../support/service/import.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { basic, codeRequest, getRest, obtainTokens, postToken, signInForCode } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl } = service
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token
const read = <Answer>(path: string, token = ada) => readOk<Answer>(getRest(baseUrl, path, token))

test('root/v1/user returns the user and whether the token allows trading', async () => {
  const rights = (CanTrade: boolean) => ({
    CanManageCashTransfers: false,
    CanTakePriceSession: false,
    CanTakeTradeSession: true,
    CanTrade,
    CanViewAnyClient: false,
  })
  const operations = (...names: string[]) => names.map((name) => `OAPI.OP.${name}`)
  const path = '/root/v1/user'
  assert.deepEqual(await read(path), {
    AccessRights: rights(true),
    AccountAccessMode: 'Full',
    ClientId: '10001',
    ElevatedAuthenticationOperations: [],
    Operations: operations('ManageCorporateActions', 'TakeTradeSession', 'Trading', 'View'),
    Roles: [],
    UserId: 'ada',
  })
  const app = { AppKey: randomHex(), Secret: randomHex() }
  noteSecret('secret', app.Secret)
  const record = { ...app, ClientKey: demoKey('client ada'), Name: 'Reader', Description: '', IsTradingEnabled: false }
  const { db, clock } = service.node.context
  await importApp(db, masterKey, { ...record, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())
  const code = await signInForCode(url, { ...codeRequest, client_id: app.AppKey })
  const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
  const { body } = await postToken(url, form, basic(app.AppKey, app.Secret))
  type Rights = { AccessRights: object; AccountAccessMode: string; Operations: string[] }
  const readonly = await read<Rights>(path, body.access_token)
  assert.deepEqual(readonly.Operations, operations('TakeTradeSession', 'View'))
  assert.deepEqual([readonly.AccessRights, readonly.AccountAccessMode], [rights(false), 'ReadOnly'])

  const rightsWith = async (token: string) => (await read<{ AccessRights: object }>(path, token)).AccessRights
  assert.deepEqual(await rightsWith(bo), rights(true))
  const right = { kind: 'accessRight', ClientKey: demoKey('client bo'), AssetTypes: ['Stock'] }
  const records = lines({ ...right, Level: 'Trade', delete: true }, { ...right, Level: 'View' })
  assert.deepEqual((await importTexts(service.database.connection, { 'rights.ndjson': records })).errors, [])
  await eventually(async () => {
    assert.deepEqual(await rightsWith(bo), rights(false))
    return true
  })
  const viewer = await read<Rights>(path, bo)
  assert.deepEqual(viewer.Operations, operations('ManageCorporateActions', 'TakeTradeSession', 'View'))
})
