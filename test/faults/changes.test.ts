import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createClient } from '../../src/client/index.ts'
import { presentRecords, recordsBefore } from '../../src/data/history/state.ts'
import { exporters } from '../../src/data/kinds.ts'
import { runExport } from '../../src/data/run-export.ts'
import { locks } from '../../src/database/locks.ts'
import { demoKey } from '../support/demo.ts'
import { type ChangesPage, feedOf, readChanges } from '../support/http/changes.ts'
import { databaseForFile, exchange, exportText, importTexts, instrument } from '../support/service/import.ts'
import { databaseUrl, freePort, type ServiceProcess, startProcess } from '../support/service/process.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'

/** How many changes there are at least. Raise it for a longer run. */
const changes = Number(process.env.CHANGES ?? 1_000)
const maxRounds = 3_000

const one = await serviceForFile()
const { connection } = one.database
const { db } = one.node.context
const { ada, load } = await feedOf(one)
const firstUics = [1_000, 2_000, 3_000, 4_000]
await load(
  exchange,
  ...firstUics.flatMap((first) => Array.from({ length: 50 }, (_, index) => instrument(first + index))),
)

const writers = new Map<number, ChildProcess>()
function startWriter(index: number): void {
  const account = index === 3 ? [demoKey('account 9226397')] : []
  const words = [JSON.stringify(connection), `writer-${index}`, String(firstUics[index]), ...account]
  const script = new URL('./changes-writer.ts', import.meta.url).pathname
  writers.set(index, spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'ignore', 'inherit'] }))
}
const copy = new Map<string, string>()
/** The cursor of the copy. */
let copied: string | undefined

const killWriters = () => {
  for (const writer of writers.values()) writer.kill('SIGKILL')
}
after(killWriters)

const nodeTwo = async (): Promise<ServiceProcess> =>
  startProcess({
    ...{ PORT: String(await freePort()), PUBLIC_URL: one.config.publicUrl, DATABASE_URL: databaseUrl(connection) },
    ...{ MASTER_KEY: masterKey.toString('base64'), LOG_LEVEL: 'warn' },
  })

/** Connects to either node, and loses every connection after a while. */
function unreliable(nodes: () => readonly string[]): typeof fetch {
  return async (address, init) => {
    const node = nodes()[Math.floor(Math.random() * nodes().length)] ?? one.url
    const response = await fetch(String(address).replace(one.url, node), init)
    let left = Math.random() * 100_000
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        left -= part.length
        if (left < 0) return controller.error(new Error('lost'))
        controller.enqueue(part)
      },
    })
    return new Response(response.body?.pipeThrough(cut), response)
  }
}

/** What was committed: each record once per run, in the order of the numbers. */
async function committed(after: number): Promise<string[]> {
  const { rows } = await sql<{ kind: string; id: string }>`
    select kind, id from record_version where seq > ${after} group by run, kind, id order by min(seq)`.execute(db)
  return rows.map(({ kind, id }) => `${kind} ${id}`)
}
const lastSeq = async () =>
  (await sql<{ seq: number }>`select max(seq) as seq from record_version`.execute(db)).rows[0]?.seq ?? 0

const keyOfLine = (line: string): string => {
  const { kind, ...record } = JSON.parse(line) as { kind: string; Uic?: number; EventId?: string }
  if (kind === 'instrument') return `${kind} ${record.Uic}`
  if (kind === 'event') return `${kind} ${record.EventId}`
  if (kind !== 'position') return line
  const { AccountKey, Uic, AssetType, From } = record as unknown as Record<string, string>
  return [kind, AccountKey, Uic, AssetType, ...(From === undefined ? [] : [From])].join(' ')
}

/** The line of a record in an export; undefined if it is gone. */
async function fetchLine(key: string): Promise<string | undefined> {
  const [, kind = '', id = ''] = /^(\w+) (.+)$/.exec(key) ?? []
  const found = await (kind === 'event'
    ? recordsBefore(db, kind, new Map([[id, new Map()]]))
    : presentRecords(db, kind, [id]))
  const text = found.get(id)
  return text === undefined ? undefined : `{"kind":"${kind}",${text.slice(1)}`
}

/** Puts the lines of an export into a map. Returns its cursor. */
async function exportTo(copy: Map<string, string>): Promise<string> {
  let text = ''
  const { cursor } = await runExport(connection, exporters, async (records) => {
    for await (const some of records) text += some
  })
  for (const line of text.trimEnd().split('\n')) copy.set(keyOfLine(line), line)
  return cursor
}

/** Fetches again what has changed after a cursor. */
async function bringUpToDate(copy: Map<string, string>, since: string): Promise<void> {
  for (let cursor: string | undefined = since; cursor !== undefined; ) {
    const page: ChangesPage = await readChanges(one.baseUrl, ada, { Since: cursor, $top: '500' })
    for (const key of new Set(page.Data.map(({ Kind, Id }) => `${Kind} ${Id}`))) {
      const line = await fetchLine(key)
      if (line === undefined) copy.delete(key)
      else copy.set(key, line)
    }
    cursor = page.__next === undefined ? undefined : page.Cursor
  }
}

/** Ends the writers, and waits for what the database still does for them. */
async function stopWriters(): Promise<void> {
  killWriters()
  for (let round = 0; round < maxRounds; round++) {
    const { rows } = await sql`select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.objid = ${locks.history}`.execute(db)
    if (rows.length === 0) return
    await sleep(100)
  }
}

test('four writers on two nodes with kills: a reader that reconnects sees each change once and in order', async () => {
  const start = await lastSeq()
  const { cursor: since } = await runExport(connection, [], async () => {})
  for (const index of firstUics.keys()) startWriter(index)
  let two = await nodeTwo()
  const stopping = new AbortController()
  const client = createClient({ baseUrl: one.baseUrl, token: ada, fetch: unreliable(() => [one.url, two.url]) })
  const seen: string[] = []
  const following = (async () => {
    for await (const { Kind, Id } of client.changes({ since, signal: stopping.signal })) seen.push(`${Kind} ${Id}`)
  })().catch((error: unknown) => error)
  for (let round = 0; (await committed(start)).length < changes; round++) {
    assert.ok(round < maxRounds, `only ${seen.length} of ${changes}`)
    const index = round % firstUics.length
    writers.get(index)?.kill('SIGKILL')
    startWriter(index)
    if (round % 4 === 1) {
      two.kill('SIGKILL')
      await two.ended
      two = await nodeTwo()
    }
    // In the middle of it.
    if (copied === undefined && (await committed(start)).length > changes / 3) copied = await exportTo(copy)
    await sleep(2_000)
  }
  // The writers may have written all of it between two rounds. They still run.
  copied ??= await exportTo(copy)
  await stopWriters()
  const expected = await committed(start)
  for (let round = 0; seen.length < expected.length && round < 600; round++) await sleep(100)
  stopping.abort()
  await following
  await two.stop()

  assert.deepEqual(seen, expected)
})

test('a copy made from an export in the middle of it, and the changes after it, equals a fresh export', async () => {
  await bringUpToDate(copy, copied ?? assert.fail('no copy was made'))
  const lines = [...copy.values()].map((line) => `${line}\n`).join('')
  const other = await databaseForFile()
  const { errors } = await importTexts(other.connection, { 'copy.ndjson': lines })

  assert.deepEqual(errors, [])
  assert.equal(await exportText(other.connection), await exportText(connection))
})
