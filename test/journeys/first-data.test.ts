import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import { issueCommandToken } from '../../src/auth/grants/demo-token.ts'
import { initCommand } from '../../src/data/init/init.ts'
import { familiesOf } from '../../src/data/kinds.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { importTexts } from '../support/service/import.ts'
import { testDatabase } from '../support/service/postgres.ts'
import { databaseUrl, temporaryFolder } from '../support/service/process.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'

const { connection, drop } = await testDatabase()
const service = await serviceForFile({ env: { DEMO: 'off' }, connectionString: databaseUrl(connection) })
after(drop)
const folder = await temporaryFolder()
const families = familiesOf({ masterKey, config: { secrets: 'listed' }, now: service.clock.now() })
const kinds = families.flatMap((family) => family.kinds)

type Answers = Parameters<typeof initCommand>[0]

/** Runs the command; `typed` are lines at a terminal. */
async function init(options: Answers, typed?: string[]) {
  const said: string[] = []
  const [input, output] = [new PassThrough(), new PassThrough()]
  let asked = ''
  output.on('data', (chunk) => {
    asked += chunk
    // Each question ends with a colon; an answer is typed when it is asked.
    if (/: $/.test(String(chunk))) input.write(`${typed?.shift() ?? ''}\n`)
  })
  const terminal = { input: Object.assign(input, { isTTY: typed !== undefined }), output }
  const deps = { environment: 'sim', publicUrl: service.url, basePath: '/sim/openapi', kinds } as const
  const code = await initCommand(options, { ...deps, terminal, say: (line) => said.push(line) })
  return { code, said: said.join('\n'), asked }
}

test('the first own instrument: init, import into an empty database, token, details', async () => {
  const file = join(folder, 'mine.ndjson')

  const { code, said, asked } = await init({ file }, ['Northwind & Sons', '', 'Northwind Börse', 'Red Kite Energy'])

  assert.equal(code, 0)
  assert.deepEqual(asked.match(/[A-Z][a-z ]+ \[/g)?.length, 5, asked)
  noteSecret('password', /^Password of admin: (\S+)$/m.exec(said)?.[1] ?? '')
  assert.match(said, /^ {2}DEMO=off refdesk serve .*\n {2}refdesk import .*mine\.ndjson\n {2}refdesk token admin\n/m)
  const [, url = ''] = /^ {2}curl .* (http\S+)$/m.exec(said) ?? []
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const { errors, counts, notes } = await importTexts(connection, { 'mine.ndjson': await readFile(file) })
  assert.deepEqual(errors, [])
  assert.deepEqual(Object.keys(counts).length, 7)
  assert.ok(!notes.some((note) => note.startsWith('Warning')), notes.join('\n'))
  const token = await issueCommandToken(service.node.context, 'f'.repeat(32), 'admin')
  noteSecret('access token', token)
  const details = await eventually(async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200)
    return (await response.json()) as Record<string, unknown>
  })
  assert.deepEqual(
    [details.Description, details.Symbol, details.CurrencyCode, (details.Exchange as { Name: string }).Name],
    ['Red Kite Energy', 'REDKI:northwindbor', 'USD', 'Northwind Börse'],
  )
})

test('init asks nothing with --yes or all flags, and says which flags to pass where there is no terminal', async () => {
  const flags = { firm: 'A', user: 'eve', exchange: 'B', instrument: 'C', redirectUri: 'https://app.example/cb' }
  for (const options of [{ yes: true }, flags]) {
    const { code, said } = await init({ ...options, file: join(folder, `${Object.keys(options).length}.ndjson`) })
    noteSecret('password', /^Password of \w+: (\S+)$/m.exec(said)?.[1] ?? '')
    assert.equal(code, 0)
  }
  await assert.rejects(
    init({ firm: 'A', user: 'eve' }),
    /^Error: There is no terminal to ask at\. Pass --yes for the defaults, or: --exchange "Own Exchange" --instrument "Desk Industries" --redirect-uri "http:\/\/localhost:5000\/callback"$/,
  )
})

test('init overwrites no file, and writes none with a wrong answer', async () => {
  await assert.rejects(init({ yes: true, file: join(folder, 'mine.ndjson') }), /mine\.ndjson exists already\./)
  const file = join(folder, 'wrong.ndjson')
  const { code, said } = await init({ yes: true, file, redirectUri: 'nowhere', currency: 'dollars' })
  assert.equal(code, 1)
  assert.match(
    said,
    /^exchange Currency: Must be a three-letter currency code .*^app RedirectUris\[0\]\.Uri: .*^Nothing was written\.$/ms,
  )
  await assert.rejects(stat(file), { code: 'ENOENT' })
})
