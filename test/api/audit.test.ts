import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type AuditEntry, appendAudit, auditBody } from '../../src/audit/append.ts'
import { archiveAudit, releaseArchived, verifyArchive, writeArchive } from '../../src/audit/archive.ts'
import { chainOnce, readHead, startChaining, verifyAudit } from '../../src/audit/chain.ts'
import { auditArchive, auditVerify } from '../../src/audit/commands.ts'
import { headText } from '../../src/audit/rules/chain.ts'
import { deriveKey } from '../../src/core/crypto/keys.ts'
import { type Db, type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import { parseCall } from '../support/service/command-line.ts'
import { testDatabase } from '../support/service/postgres.ts'

const key = deriveKey(Buffer.alloc(32, 7), 'audit')
const anotherKey = deriveKey(Buffer.alloc(32, 8), 'audit')
const sealOnce = async (): Promise<number> => (await chainOnce(db, key)).count

const entry: AuditEntry = { at: '2026-03-04T05:06:07Z', kind: 'SignIn', user: 'u', app: 'a' }

let database: Awaited<ReturnType<typeof testDatabase>>
let opened: OpenDatabase
let db: Db
let folder: string

before(async () => {
  database = await testDatabase()
  opened = openDatabase(database.connection)
  db = opened.db
  folder = await mkdtemp(join(tmpdir(), 'refdesk-audit-'))
})

after(async () => {
  await opened.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** As a superuser would, who can switch every trigger off. */
async function tamper(...statements: RawBuilder<unknown>[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const statement of statements) await statement.execute(trx)
  })
}

beforeEach(() => tamper(sql`delete from audit_log`, sql`delete from audit_archive`, sql`delete from audit_inbox`))

/** Entries that were recorded in some month of the past. */
async function record(count: number, month = '2026-01'): Promise<void> {
  const recorded = Temporal.Instant.from(`${month}-15T00:00:00Z`)
  const bodies = Array.from({ length: count }, (_, index) => auditBody({ ...entry, detail: { index } }, recorded))
  await sql`insert into audit_inbox (body) select unnest(${bodies}::text[])`.execute(db)
}

/** Returns how many batches it took. */
async function sealAll(): Promise<number> {
  let batches = 0
  while ((await sealOnce()) > 0) batches++
  return batches
}

async function seal(count: number, month?: string): Promise<void> {
  await record(count, month)
  await sealAll()
}

async function findings(head?: { seq: number; mac: Uint8Array }): Promise<readonly string[]> {
  return (await verifyAudit(db, key, head)).findings
}

async function run(command: typeof auditVerify | typeof auditArchive, ...words: string[]) {
  const lines: string[] = []
  const { options } = await parseCall(['audit', command === auditVerify ? 'verify' : 'archive', ...words])
  const code = await command(db, key, options as { before: string; file: string }, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

describe('an entry', () => {
  it('is part of the transaction of the change', async () => {
    await assert.rejects(
      db.transaction().execute(async (trx) => {
        await appendAudit(trx, entry)
        throw new Error('undone')
      }),
    )
    assert.equal(await sealOnce(), 0)
    await db.transaction().execute((trx) => appendAudit(trx, entry))
    assert.equal(await sealOnce(), 1)
  })

  it('is stored with both times at the same width, readable by columns', async () => {
    await appendAudit(db, { ...entry, at: '2030-01-01T00:00:00.5Z' })
    await sealOnce()
    const { rows } = await sql<Record<string, string>>`
      select body::jsonb ->> 'at' as at, body::jsonb ->> 'kind' as kind, app_key, body::jsonb ->> 'recordedAt' as recorded
      from audit_log`.execute(db)
    const { recorded, ...columns } = rows[0] ?? {}
    assert.deepEqual(columns, { at: '2030-01-01T00:00:00.500Z', kind: 'SignIn', app_key: 'a' })
    assert.match(recorded ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('may contain any user input', async () => {
    const typed = ['\0', '\ud800', '\u2028', 'x'.repeat(100_000), '"}\n', `${'x'.repeat(499)}😀`]
    for (const text of typed) await appendAudit(db, { ...entry, app: text, userName: text, detail: { text } })
    assert.equal(await sealOnce(), typed.length)
    assert.deepEqual(await findings(), [])
  })

  it('is rejected at once if it could not be sealed', async () => {
    for (const body of ['no JSON', '{}', '{"at":"","kind":"\\u0000","recordedAt":""}']) {
      await assert.rejects(db.insertInto('audit_inbox').values({ body }).execute())
    }
  })

  it('cannot be changed, emptied or deleted', async () => {
    await seal(2)
    for (const statement of [
      sql`update audit_log set body = body`,
      sql`delete from audit_log where seq = 1`,
      sql`truncate audit_log`,
      sql`update audit_archive set file_name = ''`,
      sql`delete from audit_archive`,
      sql`truncate audit_archive`,
    ]) {
      await assert.rejects(statement.execute(db), /append-only/)
    }
  })
})

describe('sealing', () => {
  it('makes one intact chain while many nodes seal and write at once', async () => {
    const writers = Array.from({ length: 4 }, async () => {
      for (let count = 0; count < 50; count++) await appendAudit(db, entry)
    })
    const writing = Promise.all(writers)
    let isWriting = true
    writing.finally(() => {
      isWriting = false
    })
    const sealers = Array.from({ length: 3 }, async () => {
      let sealed = 0
      while (isWriting) sealed += await sealOnce()
      return sealed
    })
    await writing
    const sealed = (await Promise.all(sealers)).reduce((sum, count) => sum + count, await sealOnce())
    assert.equal(sealed, 200)
    const { entries, findings, head } = await verifyAudit(db, key)
    assert.deepEqual({ entries, findings, head: head.seq }, { entries: 200, findings: [], head: 200 })
  })

  it('is skipped while another node does it', async () => {
    await record(1)
    let other: Promise<number> | undefined
    await db.transaction().execute(async (trx) => {
      await sql`lock table audit_log in share mode`.execute(trx)
      other = sealOnce()
      const waiting = sql`select 1 from pg_locks where relation = 'audit_log'::regclass and not granted`
      while ((await waiting.execute(trx)).rows.length === 0);
      assert.equal(await sealOnce(), 0)
    })
    assert.equal(await other, 1)
  })

  it('keeps the order of entries', async () => {
    await seal(700)
    const { rows } = await sql<{ seq: number; index: number }>`
      select seq, (body::jsonb #>> '{detail,index}')::int + 1 as index from audit_log order by seq`.execute(db)
    assert.ok(rows.length === 700 && rows.every(({ seq, index }) => seq === index))
  })

  it('includes the entries of a long transaction once it commits', async () => {
    const written = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const late = db.transaction().execute(async (trx) => {
      await appendAudit(trx, { ...entry, kind: 'SignOut' })
      written.resolve()
      await release.promise
    })
    await written.promise
    await seal(3)
    release.resolve()
    await late
    assert.equal(await sealOnce(), 1)
    const { rows } = await sql<{
      seq: number
    }>`select seq from audit_log where body::jsonb ->> 'kind' = 'SignOut'`.execute(db)
    assert.deepEqual(rows, [{ seq: 4 }])
    assert.deepEqual(await findings(), [])
  })

  it('seals many entries in several batches', async () => {
    await record(5_001)
    assert.ok((await sealAll()) > 1)
    const { entries, findings } = await verifyAudit(db, key)
    assert.deepEqual({ entries, findings }, { entries: 5_001, findings: [] })
  })

  it('runs in the background, seals the last entries when stopped, and logs the head', async () => {
    const lines: [object, string][] = []
    const note = (fields: object, message: string) => lines.push([fields, message])
    const chaining = startChaining({ db, key, log: { info: note, error: note }, everyMs: 5 })
    await record(5_001)
    while ((await readHead(db)).seq < 5_001) await new Promise((resolve) => setTimeout(resolve, 10))
    await record(1)
    await chaining.stop()
    assert.deepEqual(lines.at(-1), [{ head: headText(await readHead(db)) }, 'audit head'])
    assert.deepEqual(await findings((await verifyAudit(db, key)).head), [])
    assert.equal((await readHead(db)).seq, 5_002)
  })

  it('logs once that the database is down, and continues when it is back', async () => {
    await record(1)
    const lines: string[] = []
    const failed = Promise.withResolvers<void>()
    const log = {
      info: (_: object, message: string) => lines.push(message),
      error: (_: object, message: string) => {
        lines.push(message)
        failed.resolve()
      },
    }
    await sql`alter table audit_inbox rename to audit_away`.execute(db)
    const chaining = startChaining({ db, key, log, everyMs: 5 })
    await failed.promise
    await new Promise((resolve) => setTimeout(resolve, 50))
    await sql`alter table audit_away rename to audit_inbox`.execute(db)
    while ((await readHead(db)).seq < 1) await new Promise((resolve) => setTimeout(resolve, 10))
    await chaining.stop()
    assert.equal(lines.filter((line) => line.includes('cannot be sealed')).length, 1)
    assert.equal(lines.filter((line) => line.includes('sealed again')).length, 1)
  })
})

describe('verification of the log finds', () => {
  beforeEach(() => seal(10))

  it('nothing in an intact log, with or without its head', async () => {
    assert.deepEqual(await findings(), [])
    assert.deepEqual(await findings(await readHead(db)), [])
  })

  it('a changed text', async () => {
    await tamper(sql`update audit_log set body = replace(body, 'SignIn', 'SignOut') where seq = 4`)
    assert.deepEqual(await findings(), ['Entry 4 was changed or moved.'])
  })

  it('a changed mac', async () => {
    await tamper(sql`update audit_log set mac = sha256('') where seq = 4`)
    assert.match((await findings())[0] ?? '', /^Entry 4 was changed/)
  })

  it('a removed entry, at the beginning and in the middle', async () => {
    await tamper(sql`delete from audit_log where seq in (1, 5, 6)`)
    assert.deepEqual(await findings(), ['Entry 1 is missing.', 'Entries 5 to 6 are missing.'])
  })

  it('two swapped texts', async () => {
    await tamper(sql`update audit_log set body = other.body from audit_log other where audit_log.seq + other.seq = 7
      and audit_log.seq in (3, 4)`)
    assert.deepEqual(await findings(), ['Entry 3 was changed or moved.', 'Entry 4 was changed or moved.'])
  })

  it('two swapped entries', async () => {
    await tamper(sql`update audit_log set seq = seq + 100 where seq in (3, 4)`)
    await tamper(sql`update audit_log set seq = 107 - seq where seq in (103, 104)`)
    assert.ok((await findings()).length >= 2)
  })

  it('entries renumbered to close a gap', async () => {
    await tamper(sql`delete from audit_log where seq = 3`)
    for (let seq = 4; seq <= 10; seq++) await tamper(sql`update audit_log set seq = seq - 1 where seq = ${seq}`)
    assert.match((await findings())[0] ?? '', /^Entry 3 was changed/)
  })

  it('an inserted entry', async () => {
    await tamper(sql`insert into audit_log (seq, body, mac) select 11, body, mac from audit_log where seq = 10`)
    assert.deepEqual(await findings(), ['Entry 11 was changed or moved.'])
  })

  it('a truncated log, by the head', async () => {
    const head = await readHead(db)
    await tamper(sql`delete from audit_log where seq > 7`)
    assert.deepEqual(await findings(), [])
    assert.deepEqual(await findings(head), ['The log is truncated: the given head is entry 10, the last entry is 7.'])
    await seal(5)
    assert.match((await findings(head))[0] ?? '', /^Entry 10 differs from the given head/)
  })

  it('that the key is wrong', async () => {
    assert.ok((await verifyAudit(db, anotherKey)).problems > 0)
  })

  it('problems that the command prints, with exit code 1', async () => {
    const head = headText(await readHead(db))
    assert.deepEqual(await run(auditVerify), { code: 0, text: `The log is intact: 10 entries, head ${head}` })
    assert.equal((await run(auditVerify, '--head', head)).code, 0)
    assert.equal((await run(auditVerify, '--head', 'nonsense')).code, 1)
    await assert.rejects(run(auditVerify, '--unknown'), /Unknown option '--unknown'/)
    await tamper(sql`delete from audit_log where seq = 4`)
    assert.deepEqual(await run(auditVerify), {
      code: 1,
      text: 'The log is not intact: 1 finding.\nEntry 4 is missing.',
    })
  })
})

describe('an archive', () => {
  let file: string
  let number = 0

  beforeEach(async () => {
    file = join(folder, `${number++}.ndjson`)
    await seal(1_500, '2026-01')
    await seal(3, '2026-02')
    await seal(4, '2026-03')
  })

  const archive = (month = '2026-03', name = file) => archiveAudit(db, key, { before: month, file: name })

  it('moves whole months out of the log; file and log verify, and the chain continues', async () => {
    const head = await readHead(db)
    assert.equal((await archive())?.count, 1_503)
    assert.equal((await verifyArchive(file, key)).summary?.lastSeq, 1_503)
    const { entries, archivedThrough, findings } = await verifyAudit(db, key, head)
    assert.deepEqual({ entries, archivedThrough, findings }, { entries: 4, archivedThrough: 1_503, findings: [] })
    await seal(2, '2026-04')
    assert.equal((await archive('2026-05', `${file}.next`))?.count, 6)
    assert.equal((await readHead(db)).seq, 1_509)
    await seal(1, '2026-05')
    const whole = await verifyAudit(db, key)
    assert.deepEqual([whole.findings, whole.head.seq], [[], 1_510])
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.draft')).length, 0)
  })

  it('ends before the first entry that is too young, even if older ones follow', async () => {
    await seal(1, '2026-01')
    assert.equal((await archive())?.lastSeq, 1_503)
    assert.equal((await verifyAudit(db, key)).entries, 5)
  })

  it('keeps every text unchanged, including Unicode line breaks', async () => {
    await appendAudit(db, { ...entry, userName: 'a\u2028b\u2029c\nd😀' })
    await tamper(sql`delete from audit_log`)
    await tamper(
      sql`update audit_inbox set body = regexp_replace(body, '"recordedAt":"[^"]*"', '"recordedAt":"2026-01"')`,
    )
    await sealOnce()
    assert.equal((await archive())?.count, 1)
  })

  it('reveals any change of its file', async () => {
    await archive()
    const text = await readFile(file, 'utf8')
    const lines = text.trimEnd().split('\n')
    const changed: Record<string, string[]> = {
      'a text': lines.with(4, (lines[4] ?? '').replace('SignIn', 'SignOut')),
      'a further member': lines.with(4, (lines[4] ?? '').replace('{"seq"', '{"x":1,"seq"')),
      'a member that stands twice': lines.with(4, (lines[4] ?? '').replace('"body":', '"body":"forged","body":')),
      'a line without sense': lines.with(4, 'nonsense'),
      'a removed line': lines.toSpliced(4, 1),
      'a removed last entry': lines.toSpliced(-2, 1),
      'a doubled line': lines.toSpliced(4, 0, lines[4] ?? ''),
      'two lines in the other order': lines.with(4, lines[5] ?? '').with(5, lines[4] ?? ''),
      'no footer': lines.slice(0, -1),
      'no header': lines.slice(1),
      'a removed first entry': lines.toSpliced(1, 1),
      'another start': lines.with(0, (lines[0] ?? '').replace(/0{64}/, '1'.repeat(64))),
      'something after the end': [...lines, lines[4] ?? ''],
      nothing: [],
    }
    for (const [what, content] of Object.entries(changed)) {
      await writeFile(file, content.join('\n'))
      const { findings, summary } = await verifyArchive(file, key)
      assert.ok(findings.length > 0 && summary === undefined, what)
    }
    await writeFile(file, text)
    assert.ok((await verifyArchive(file, anotherKey)).problems > 0)
    assert.equal((await verifyArchive(file, key)).problems, 0)
  })

  it('verifies a head that is no longer in the log', async () => {
    const { rows } = await sql<{ seq: number; mac: Buffer }>`select seq, mac from audit_log where seq = 7`.execute(db)
    const head = rows[0] ?? assert.fail()
    await archive()
    assert.match((await findings(head))[0] ?? '', /^The head 7 is in the archived section/)
    assert.equal((await verifyArchive(file, key, head)).problems, 0)
    assert.equal((await run(auditVerify, '--file', file, '--head', headText(head))).code, 0)
    assert.equal((await verifyArchive(file, key, { ...head, seq: 8 })).problems, 1)
  })

  it('that was interrupted before the rows were deleted is finished by the next run', async () => {
    await writeArchive(db, key, { before: '2026-03', file })
    assert.deepEqual((await verifyAudit(db, key)).entries, 1_507)
    await seal(1, '2026-03')
    assert.equal((await archive())?.count, 1_503)
    assert.deepEqual(await findings(), [])
    assert.equal(await archive(), undefined)
    assert.equal((await verifyArchive(file, key)).problems, 0)
  })

  it('never replaces a file, and leaves the log unchanged if the existing file differs', async () => {
    await writeFile(file, 'mine')
    await assert.rejects(archive(), /not an intact archive/)
    await assert.rejects(writeArchive(db, key, { before: '2026-03', file }), { code: 'EEXIST' })
    assert.equal(await readFile(file, 'utf8'), 'mine')
    await writeArchive(db, key, { before: '2026-03', file: `${file}.2` })
    await assert.rejects(archive('2026-02', `${file}.2`), /is not before 2026-02/)
    assert.equal((await archive('2026-02', `${file}.3`))?.count, 1_500)
    await assert.rejects(archive('2026-03', `${file}.2`), /does not contain the beginning/)
    await appendFile(`${file}.2`, 'more')
    assert.deepEqual(await findings(), [])
  })

  it('of entries that are no longer in the log is not taken for its beginning', async () => {
    await writeArchive(db, key, { before: '2026-03', file })
    await tamper(sql`delete from audit_log where seq > 1502`)
    await seal(1, '2026-02')
    await assert.rejects(archive(), /does not contain the beginning/)
    assert.equal((await verifyAudit(db, key)).entries, 1_503)
  })

  it('of a log that is not intact is rejected, and nothing is moved', async () => {
    const { summary } = await writeArchive(db, key, { before: '2026-03', file }).then(() => verifyArchive(file, key))
    await tamper(sql`delete from audit_log where seq = 9`)
    await assert.rejects(archive('2026-03', `${file}.2`), /not intact and was left unchanged: Entry 9 is missing/)
    await assert.rejects(releaseArchived(db, key, file, summary ?? assert.fail()), /lacks entries/)
    assert.equal((await verifyAudit(db, key)).entries, 1_506)
    assert.deepEqual((await verifyAudit(db, key)).archivedThrough, 0)
  })

  it('record that was forged, changed or removed is reported', async () => {
    await archive()
    await archive('2026-04', `${file}.next`)
    await seal(2, '2026-04')
    const forged = /^The record of the archive through entry 1507 was changed or forged/
    await tamper(sql`update audit_archive set file_name = 'other' where through_seq = 1507`)
    assert.match((await findings())[0] ?? '', forged)
    await tamper(sql`delete from audit_archive where through_seq = 1507`)
    assert.deepEqual(await findings(), ['Entries 1504 to 1507 are missing.'])
    await tamper(sql`insert into audit_archive (first_seq, through_seq, mac, file_name, archived_at, seal)
      select 1504, 1507, sha256('x'), 'x', '', seal from audit_archive`)
    assert.match((await findings())[0] ?? '', forged)
    await tamper(sql`delete from audit_archive where through_seq = 1503`)
    assert.ok((await findings()).length > 0)
  })

  it('covers its entries: one that is put back into the log is reported', async () => {
    await archive()
    await tamper(sql`insert into audit_log (seq, body, mac) select 5, body, mac from audit_log where seq = 1504`)
    assert.deepEqual(await findings(), ['Entry 5 is out of order: it follows entry 1503.'])
  })

  it('is written and reported by the command, which rejects a month that is not over', async () => {
    const moved = await run(auditArchive, '--before', '2026-03', '--file', file)
    assert.deepEqual(moved, { code: 0, text: `Moved 1,503 entries, 1 to 1503, to ${file}. Keep that file.` })
    assert.match(
      (await run(auditVerify)).text,
      /^The log is intact: 4 entries after 1,503 entries archived, head 1507:/,
    )
    const checked = await run(auditVerify, '--file', file)
    assert.deepEqual(checked, { code: 0, text: 'The file is intact: 1,503 entries, 1 to 1503.' })
    assert.match((await run(auditArchive, '--before', '2026-03', '--file', file)).text, /^Nothing to archive/)
    assert.equal((await run(auditArchive, '--before', '9999-01', '--file', file)).code, 1)
    assert.equal((await run(auditArchive, '--before', '2026-3', '--file', file)).code, 1)
    await assert.rejects(run(auditArchive, '--before', '2026-03'), /Required option '--file <file>' not specified/)
    assert.equal((await run(auditArchive, '--before', '2026-04', '--file', join(folder, 'no', 'where'))).code, 1)
    assert.equal((await run(auditVerify, '--file', `${file}.none`)).code, 1)
  })
})
