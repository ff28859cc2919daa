import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { appendAudit } from '../../src/audit/append.ts'
import { archiveAudit, releaseArchived, verifyArchive, writeArchive } from '../../src/audit/archive.ts'
import { readHead, verifyAudit } from '../../src/audit/chain.ts'
import { auditArchive, auditVerify } from '../../src/audit/commands.ts'
import { headText } from '../../src/audit/rules/chain.ts'
import { anotherKey, auditLogForFile, entry, key } from '../support/audit.ts'
import { temporaryFolder } from '../support/service/process.ts'

const { db, sealOnce, tamper, seal, findings, run } = await auditLogForFile()
const folder = await temporaryFolder()

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
    // A short one, because it is verified many times.
    await tamper(sql`delete from audit_log`)
    await seal(8, '2026-01')
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
