import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccounts, listClients, listUsers } from '../../src/access/list-commands.ts'
import { list } from '../../src/apps/commands/list.ts'
import { commandRunner } from '../support/app-commands.ts'
import { demoApp, demoKey, demoRedirectUri } from '../support/demo.ts'
import { serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()

async function listed(options: { client?: string; json?: boolean }, list = listUsers): Promise<string[]> {
  const said: string[] = []
  assert.equal(await list(service.node.context.db, options, (line) => said.push(line)), 0)
  return said
}

test('users list shows every user by name, or those of a client, as a table or as JSON', async () => {
  await obtainTokens(service.url)
  const [heading, ...rows] = await listed({})
  assert.match(heading ?? '', /^Name +UserKey +Client +Disabled +Operator +Last login$/)
  assert.deepEqual(
    rows.map((row) => row.split(' ')[0]),
    ['ada', 'bo', 'cy'],
  )
  assert.match(rows[0] ?? '', /^ada +\S{24} +10001 +no +no +20\d\d-\d\d-\d\dT\d\d:\d\dZ$/)
  assert.match(rows[1] ?? '', /^bo +\S{24} +\d+ +no +no +never$/)
  const [json = '', ...more] = await listed({ client: '10001', json: true })
  const { LastLoginTime, ...shown } = JSON.parse(json)
  const ada = { Name: 'ada', UserKey: demoKey('user ada'), ClientId: '10001', Disabled: false, Operator: false }
  assert.deepEqual([shown, more], [ada, []])
  assert.match(LastLoginTime, /^20\d\d-/)
  await assert.rejects(listed({ client: '999' }), /^Error: No client has the ClientId 999\./)
})

test('clients list and accounts list show all of them, as a table or as JSON', async () => {
  const [heading, ...rows] = await listed({}, listClients)
  assert.match(heading ?? '', /^ClientId +ClientKey +Name +Owner +Accounts +Users +Rights$/)
  assert.match(rows[0] ?? '', /^10001 +\S{24} +Ada Holding +- +\d+ +1 +\d+$/)
  assert.match(rows[1] ?? '', /^10002 +\S{24} +Bo Berg +10001 +/)
  const clients = (await listed({ json: true }, listClients)).map((line) => JSON.parse(line))
  assert.deepEqual(
    clients.map(({ ClientId, OwnerClientId }) => [ClientId, OwnerClientId]),
    [
      ['10001', null],
      ['10002', '10001'],
      ['10003', '10001'],
      ['20001', null],
    ],
  )
  const accounts = (await listed({ json: true }, listAccounts)).map((line) => JSON.parse(line))
  assert.equal(
    accounts.length,
    clients.reduce((sum, { Accounts }) => sum + Accounts, 0),
  )
  const [head, ...own] = await listed({ client: '10001' }, listAccounts)
  assert.match(head ?? '', /^AccountId +AccountKey +Client +Group +Currency$/)
  assert.equal(own.length, clients[0].Accounts)
  assert.ok(own.every((row) => /^\S+ +\S{24} +10001 +.+ +[A-Z]{3}$/.test(row)))
  await assert.rejects(listed({ client: '999' }, listAccounts), /^Error: No client has the ClientId 999\./)
})

test('apps list --json has an object per app, without secrets', async () => {
  const { text } = await commandRunner(service)(list, ['--json'])

  const apps = text.split('\n').map((line) => JSON.parse(line))

  const { Secrets, ...demo } = apps.find(({ AppKey }) => AppKey === demoApp.AppKey)
  assert.deepEqual(
    [demo.ClientId, demo.Flow, demo.IsActive, demo.RedirectUris],
    ['10001', 'Code', true, [demoRedirectUri]],
  )
  assert.deepEqual(Object.keys(Secrets[0]), ['SecretId', 'ValidFrom', 'ValidUntil', 'LastUsedTime'])
  assert.doesNotMatch(text, new RegExp(demoApp.Secret))
})
