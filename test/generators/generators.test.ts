import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile()
const folder = await mkdtemp(join(tmpdir(), 'refdesk-generators-'))
after(() => rm(folder, { recursive: true }))
const document = await fetch(`${service.url}/openapi.json`).then((answer) => answer.text())
await writeFile(join(folder, 'openapi.json'), document)

const committed = fileURLToPath(new URL('../../src/client/openapi.ts', import.meta.url))
const { resolve } = createRequire(import.meta.url)

/** The program in the package.json of a package. */
async function binOf(name: string, bin: string): Promise<string> {
  const manifest = resolve(`${name}/package.json`)
  const found = (JSON.parse(await readFile(manifest, 'utf8')) as { bin: Record<string, string> }).bin[bin]
  assert.ok(found, `${name} has no ${bin}`)
  return join(dirname(manifest), found)
}

/** Runs a program in the folder and returns its output. It must exit with 0. */
async function run(program: string, args: readonly string[], nodeOptions = ''): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions, NO_COLOR: '1' }
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, timeout: 90_000 })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part))
  const code = await new Promise((done, fail) => child.on('error', fail).on('close', done))
  const text = Buffer.concat(said).toString()
  assert.equal(code, 0, text)
  return text
}

/** A small app that uses the code of both generators. */
const use = `
import { createClient } from './sdk/client/index.js'
import { listEvents, searchInstruments, type InstrumentSummary } from './sdk/index.js'
import type { components, paths } from './types.js'

type Query = NonNullable<paths['/ref/v1/instruments']['get']['parameters']['query']>
type Row = components['schemas']['InstrumentSummary']

export async function descriptions(token: string): Promise<string[]> {
  const query: Query = { Keywords: 'apple', AssetTypes: ['Stock'] }
  const client = createClient({ baseUrl: 'http://localhost:4700/sim/openapi', auth: token })
  const { data, error } = await searchInstruments({ client, query })
  if (data === undefined) throw new Error('Message' in error ? error.Message : 'rejected')
  const same: readonly Row[] = data.Data satisfies readonly InstrumentSummary[]
  const events = await listEvents({ client, throwOnError: true })
  return [...same.map((row) => row.Description), ...events.data.Data.map((event) => event.EventId)]
}
`

/** The support files of @hey-api/openapi-ts do not compile with exactOptionalPropertyTypes, for any document. The types
 *  of openapi-typescript, which the project uses itself, do. */
const settings = {
  compilerOptions: {
    ...{ target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable'], types: [], noEmit: true },
    ...{ strict: true, noUncheckedIndexedAccess: true },
  },
}

test('openapi-typescript and @hey-api/openapi-ts make clients without a warning, and strict TypeScript takes them', async () => {
  const older = `--import ${new URL('older-typescript.ts', import.meta.url).href}`
  const [types, sdk, tsc] = await Promise.all([
    binOf('openapi-typescript', 'openapi-typescript'),
    binOf('@hey-api/openapi-ts', 'openapi-ts'),
    binOf('../../node_modules/typescript', 'tsc'),
    writeFile(join(folder, 'use.ts'), use),
    writeFile(join(folder, 'package.json'), '{ "type": "module" }'),
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings)),
  ])
  const said = await Promise.all([
    run(types, ['openapi.json', '-o', 'types.ts', '--default-non-nullable=false']),
    run(sdk, ['-i', 'openapi.json', '-o', 'sdk'], older),
  ])
  for (const words of said) assert.doesNotMatch(words, /warn|error|deprecat|⚠/i)
  await run(tsc, ['-p', '.', '--skipDefaultLibCheck', '--singleThreaded'])
})

test('the types of refdesk/client are those of the API document', async () => {
  const made = await readFile(join(folder, 'types.ts'), 'utf8')
  if (process.env.WRITE_TYPES) await writeFile(committed, made)
  assert.ok((await readFile(committed, 'utf8')) === made, 'src/client/openapi.ts is out of date: run `npm run types`.')
})
