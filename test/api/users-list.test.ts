import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listUsers } from '../../src/access/user-commands.ts'
import { demoKey } from '../support/demo.ts'
import { serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()

async function listed(options: { client?: string; json?: boolean }): Promise<string[]> {
  const said: string[] = []
  assert.equal(await listUsers(service.node.context.db, options, (line) => said.push(line)), 0)
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
