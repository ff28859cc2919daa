import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { appendAudit } from '../../src/audit/append.ts'
import { readHead, startChaining, verifyAudit } from '../../src/audit/chain.ts'
import { auditVerify } from '../../src/audit/commands.ts'
import { headText } from '../../src/audit/rules/chain.ts'
import { anotherKey, auditLogForFile, entry, key } from '../support/audit.ts'

const { db, sealOnce, tamper, record, sealAll, seal, findings, run } = await auditLogForFile()

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

  it('is stored with both times at the same width, readable as JSON', async () => {
    await appendAudit(db, { ...entry, at: '2030-01-01T00:00:00.5Z' })
    await sealOnce()
    const { rows } = await sql<Record<string, string>>`
      select body::jsonb ->> 'at' as at, body::jsonb ->> 'kind' as kind, body::jsonb ->> 'app' as app,
        body::jsonb ->> 'recordedAt' as recorded from audit_log`.execute(db)
    const { recorded, ...columns } = rows[0] ?? {}
    assert.deepEqual(columns, { at: '2030-01-01T00:00:00.500Z', kind: 'SignIn', app: 'a' })
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
