import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { noteSecret } from '../support/runner/log-check.ts'
import { emptyDatabase, runCommand, startProcess } from '../support/service/process.ts'

const MASTER_KEY = randomBytes(32).toString('base64')
const password = randomBytes(12).toString('hex')
for (const [what, secret] of Object.entries({ MASTER_KEY, password })) noteSecret(what, secret)
const env = { DATABASE_URL: (await emptyDatabase()).url, MASTER_KEY, SIM_CONTROLS: 'operators' }

async function start(): Promise<string> {
  const service = await startProcess(env)
  await service.stop()
  return service.message
}

async function run(words: string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await runCommand(words, { ...env, PORT: '1' }, { input })
  assert.equal(code, 0, stderr)
  return stdout
}

test('the start, refdesk doctor and users operator warn of operators with a password of the demo', async () => {
  const warning = /Everyone knows the password of these operators from the demo: ada\.\s+.*refdesk users password NAME/
  assert.doesNotMatch(await start(), /Everyone knows/)

  assert.match(await run(['users', 'operator', 'ada']), warning)

  assert.match(await start(), warning)
  const report = await run(['doctor'])
  assert.match(report, /warning +operators +Everyone knows/)
  assert.match(report, warning)

  await run(['users', 'password', 'ada'], `${password}\n`)

  assert.doesNotMatch(await run(['users', 'operator', 'ada']), /Everyone knows/)
  assert.match(await run(['doctor']), /ok +operators +none has a password of the demo/)
})
