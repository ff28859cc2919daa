import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApp } from '../support/demo.ts'
import { emptyDatabase, startProcess } from '../support/service/process.ts'

test('LOG_FORMAT=pretty: the start message comes first, also on the first start, then a line per request without secrets', async () => {
  const { url: DATABASE_URL } = await emptyDatabase()
  const env = { DATABASE_URL, MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), WORKERS: '2', LOG_FORMAT: 'pretty' }
  // Both outputs into one pipe, as a terminal shows them.
  const program = ['sh', '-c', `exec "${process.execPath}" src/cli/cli.ts serve 2>&1`]
  const service = await startProcess(env, { program })
  const headers = { authorization: `Bearer ${service.token}` }
  const ask = (path: string) => fetch(`${service.baseUrl}${path}`, { headers })
  // A node forgets a user whom another one announces as changed, as the first token does, and then shows the key once.
  for (let count = 0; count < 20; count++) await ask('/port/v1/users/me')
  await ask(`/ref/v1/instruments?Keywords=apple&$top=1&code=${demoApp.Secret}`)
  await ask('/ref/v1/instruments/details/999999999/Stock')

  const { code, stdout } = await service.stop()
  assert.equal(code, 0)
  const [, message = '', log = ''] =
    /^([\s\S]*?is ready\.[\s\S]*?)(^\d\d:\d\d:\d\d\.\d{3} [\s\S]*)$/m.exec(stdout) ?? []
  assert.ok(!/^\d\d:\d\d:\d\d\.\d{3} /m.test(message), message)
  assert.match(message, /^\s*refdesk/)
  assert.match(log, /info {2}database migrated/)
  assert.match(log, /200 GET +[\d.]+ ms \S.* ada +\/sim\/openapi\/port\/v1\/users\/me$/m)
  assert.match(log, /GET .* \/sim\/openapi\/ref\/v1\/instruments\?Keywords=apple&\$top=1&\[redacted\]=\[redacted\]/)
  assert.match(log, /404 GET .* \/sim\/openapi\/ref\/v1\/instruments\/details\/999999999\/Stock {2}\S/)
  assert.ok(!log.includes(demoApp.Secret) && !log.includes(service.token))
  assert.ok(!log.includes('\u001b'), 'no colours in a pipe')
})
