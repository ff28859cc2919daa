import { createReadStream, existsSync } from 'node:fs'
import { link, open, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { sql } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { systemClock } from '../core/clock.ts'
import { equalInConstantTime, randomHex } from '../core/crypto/keys.ts'
import { locks } from '../database/locks.ts'
import type { Db, Trx } from '../database/open.ts'
import { anchorEnd, hmacWith, inSnapshot, readAnchors, readLinks } from './chain.ts'
import { anchorSeal, ChainCheck, type ChainEnd, encodeFields, type Hmac } from './rules/chain.ts'

const format = 'refdesk-audit-1'
const deleteBatch = 20_000

export class AuditError extends Error {}

type ArchiveSummary = Readonly<{
  firstSeq: number
  previousMac: Uint8Array
  count: number
  lastSeq: number
  lastMac: Uint8Array
  newestRecordedAt: string
}>
/** There is a summary only if the file is intact. */
type ArchiveFindings = Readonly<{ findings: readonly string[]; problems: number; summary?: ArchiveSummary }>

export type ArchiveOptions = Readonly<{ before: string; file: string }>

const Seq = Type.Integer({ minimum: 1 })
const Mac = Type.String({ pattern: '^[0-9a-f]{64}$' })
const strict = { additionalProperties: false }
const Header = Type.Object({ format: Type.Literal(format), firstSeq: Seq, previousMac: Mac }, strict)
const Entry = Type.Object({ seq: Seq, body: Type.String(), mac: Mac }, strict)
const Footer = Type.Object({ count: Seq, lastSeq: Seq, lastMac: Mac, mac: Mac }, strict)
type Header = Static<typeof Header>
type Footer = Static<typeof Footer>

/** The last line of a file, which seals its contents. */
function footerAfter(hmac: Hmac, start: ChainEnd, count: number, end: ChainEnd): Footer {
  const mac = hmac(encodeFields('archive', format, start.seq + 1, start.mac, count, end.seq, end.mac))
  return { count, lastSeq: end.seq, lastMac: end.mac.toHex(), mac: mac.toHex() }
}

function recordedAt(body: string): string {
  return String((JSON.parse(body) as { recordedAt: unknown }).recordedAt)
}

/** Moves the entries recorded before a month (`YYYY-MM`, UTC) to a file. The rows are deleted after the file is complete
 *  and synced; after a crash in between, the next run finishes with the same file. Undefined: no such entries. */
export async function archiveAudit(
  db: Db,
  key: Uint8Array,
  { before, file }: ArchiveOptions,
): Promise<ArchiveSummary | undefined> {
  checkMonthIsOver(before)
  const { rows } = await sql<{ body: string }>`select body from audit_log order by seq limit 1`.execute(db)
  if (rows[0] === undefined || recordedAt(rows[0].body) >= before) return undefined
  if (!existsSync(file)) await writeArchive(db, key, { before, file })
  const { summary, findings } = await verifyArchive(file, key)
  if (summary === undefined) throw new AuditError(`${file} exists and is not an intact archive: ${findings[0]}`)
  if (summary.newestRecordedAt >= before) {
    throw new AuditError(
      `${file} exists and contains entries up to ${summary.newestRecordedAt}, which is not before ${before}.`,
    )
  }
  await flushToDisk(file)
  await releaseArchived(db, key, file, summary)
  return summary
}

function checkMonthIsOver(before: string): void {
  const thisMonth = systemClock.now().toString().slice(0, 7)
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(before)) {
    throw new AuditError(`"${before}" is not a month. Send YYYY-MM, for example ${thisMonth}.`)
  }
  if (before > thisMonth) throw new AuditError(`Only past months can be archived. Send ${thisMonth} or earlier.`)
}

/** Writes a draft, verifies it, and only then gives it its name. Never replaces a file. */
export async function writeArchive(db: Db, key: Uint8Array, { before, file }: ArchiveOptions): Promise<void> {
  const draft = `${file}.${randomHex()}.draft`
  try {
    await inSnapshot(db, (trx) =>
      writeFile(draft, archiveText(trx, hmacWith(key), before), { flag: 'wx', mode: 0o600 }),
    )
    const { summary, findings } = await verifyArchive(draft, key)
    if (summary === undefined) throw new AuditError(`The written file differs from the log: ${findings[0]}`)
    await link(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Syncs the file and its folder. A file from an interrupted run may lack either. */
async function flushToDisk(file: string): Promise<void> {
  for (const path of [file, dirname(file)]) {
    const handle = await open(path)
    await handle.sync().finally(() => handle.close())
  }
}

async function* archiveText(trx: Trx, hmac: Hmac, before: string): AsyncGenerator<string> {
  const start = anchorEnd((await readAnchors(trx)).at(-1))
  const check = new ChainCheck(hmac, start)
  const header: Header = { format, firstSeq: start.seq + 1, previousMac: start.mac.toHex() }
  yield `${JSON.stringify(header)}\n`
  for await (const links of readLinks(trx)) {
    const end = links.findIndex(({ body }) => recordedAt(body) >= before)
    const old = end === -1 ? links : links.slice(0, end)
    for (const entry of old) check.add(entry)
    if (check.problems > 0) throw new AuditError(`The log is not intact and was left unchanged: ${check.findings[0]}`)
    yield old.map(({ seq, body, mac }) => `${JSON.stringify({ seq, body, mac: mac.toHex() })}\n`).join('')
    if (end !== -1) break
  }
  yield `${JSON.stringify(footerAfter(hmac, start, check.entries, check.end))}\n`
}

/** Deletes the archived rows and adds the anchor in one transaction, after checking that the file contains exactly
 *  these entries. */
export function releaseArchived(db: Db, key: Uint8Array, file: string, summary: ArchiveSummary): Promise<void> {
  const { firstSeq, count, lastSeq: throughSeq, lastMac: mac } = summary
  const archivedAt = systemClock.now().toString({ smallestUnit: 'millisecond' })
  const fileName = basename(file)
  const seal = anchorSeal(hmacWith(key), { firstSeq, throughSeq, mac, fileName, archivedAt })
  const transaction = db.transaction().setIsolationLevel('read committed')
  return transaction.execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${locks.auditArchive})`.execute(trx)
    if (!(await isBeginning(trx, summary))) {
      throw new AuditError(`${file} does not contain the beginning of the log. Choose another file.`)
    }
    await sql`insert into audit_archive (first_seq, through_seq, mac, file_name, archived_at, seal)
      values (${firstSeq}, ${throughSeq}, ${mac}, ${fileName}, ${archivedAt}, ${seal})`.execute(trx)
    const deleted = await deleteThrough(trx, firstSeq, throughSeq)
    if (deleted !== count) throw new AuditError(`The log lacks entries that ${file} contains; it was left unchanged.`)
  })
}

/** Equal macs at the end prove equal entries: each mac covers all entries before it. */
async function isBeginning(trx: Trx, { firstSeq, previousMac, lastSeq, lastMac }: ArchiveSummary): Promise<boolean> {
  const start = anchorEnd((await readAnchors(trx)).at(-1))
  if (start.seq + 1 !== firstSeq || !equalInConstantTime(start.mac, previousMac)) return false
  const { rows } = await sql<ChainEnd>`select seq, mac from audit_log where seq = ${lastSeq}`.execute(trx)
  return rows[0] !== undefined && equalInConstantTime(rows[0].mac, lastMac)
}

/** Deletes in batches, because statements have a time limit. */
async function deleteThrough(trx: Trx, firstSeq: number, lastSeq: number): Promise<number> {
  await sql`select set_config('refdesk.archiving', 'on', true)`.execute(trx)
  let deleted = 0n
  for (let from = firstSeq; from <= lastSeq; from += deleteBatch) {
    const to = Math.min(from + deleteBatch - 1, lastSeq)
    const result = await sql`delete from audit_log where seq between ${from} and ${to}`.execute(trx)
    deleted += result.numAffectedRows ?? 0n
  }
  return Number(deleted)
}

/** Verifies an archive with nothing but the file and the key; also against a head, if given. */
export async function verifyArchive(file: string, key: Uint8Array, head?: ChainEnd): Promise<ArchiveFindings> {
  const lines = linesOf(file)
  const header = readLine(Header, (await lines.next()).value ?? '')
  if (header === undefined) {
    return { findings: ['The file does not start like an archive of the audit log.'], problems: 1 }
  }
  const start = { seq: header.firstSeq - 1, mac: Uint8Array.fromHex(header.previousMac) }
  const check = new ChainCheck(hmacWith(key), start, head)
  let footer: Footer | undefined
  let newestRecordedAt = ''
  let lineNumber = 1
  for await (const line of lines) {
    lineNumber++
    const entry = footer === undefined ? readLine(Entry, line) : undefined
    if (entry !== undefined) {
      check.add({ ...entry, mac: Uint8Array.fromHex(entry.mac) })
      if (check.problems > 0) continue
      const recorded = recordedAt(entry.body)
      if (recorded > newestRecordedAt) newestRecordedAt = recorded
    } else if (footer !== undefined) check.report(`Line ${lineNumber} comes after the end.`)
    else {
      footer = readLine(Footer, line)
      if (footer === undefined) check.report(`Line ${lineNumber} was changed.`)
    }
  }
  check.finish()
  const { entries: count, end } = check
  if (footer === undefined) check.report('The last line, which describes the contents, is missing.')
  else if (JSON.stringify(footer) !== JSON.stringify(footerAfter(hmacWith(key), start, count, end))) {
    check.report('The last line does not match the contents.')
  }
  const { findings, problems } = check
  if (problems > 0) return { findings, problems }
  const { firstSeq } = header
  const summary = { firstSeq, previousMac: start.mac, count, lastSeq: end.seq, lastMac: end.mac, newestRecordedAt }
  return { findings, problems, summary }
}

/** Returns undefined unless the line is exactly what refdesk writes. */
function readLine<T extends TSchema>(schema: T, line: string): Static<T> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (Check(schema, value) && JSON.stringify(value) === line) return value
  } catch {}
  return undefined
}

/** Not node:readline, which also splits at U+2028 and U+2029, which are legal inside JSON strings. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
