import type { Db } from '../database/open.ts'
import { type ArchiveOptions, AuditError, archiveAudit, verifyArchive } from './archive.ts'
import { verifyAudit } from './chain.ts'
import { type ChainEnd, headText, parseHead } from './rules/chain.ts'

type Out = (line: string) => void

const count = (entries: number): string => `${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}`

type VerifyOptions = Readonly<{ head?: string; file?: string }>

/** `refdesk audit verify [--head seq:mac] [--file archive]`: checks the log, or an archive of it. */
export function auditVerify(db: Db, key: Uint8Array, options: VerifyOptions, out: Out): Promise<0 | 1> {
  return reportingErrors(out, async () => {
    const head = options.head === undefined ? undefined : readHead(options.head)
    return options.file === undefined ? verifyLog(db, key, head, out) : verifyFile(options.file, key, head, out)
  })
}

/** `refdesk audit archive --before YYYY-MM --file archive` */
export function auditArchive(db: Db, key: Uint8Array, options: ArchiveOptions, out: Out): Promise<0 | 1> {
  return reportingErrors(out, async () => {
    const archived = await archiveAudit(db, key, options)
    if (archived === undefined) out(`Nothing to archive: the log has no entry before ${options.before}.`)
    else {
      const { count: moved, firstSeq, lastSeq } = archived
      out(`Moved ${count(moved)}, ${firstSeq} to ${lastSeq}, to ${options.file}. Keep that file.`)
    }
    return 0
  })
}

async function verifyLog(db: Db, key: Uint8Array, head: ChainEnd | undefined, out: Out): Promise<0 | 1> {
  const { findings, problems, entries, archivedThrough, head: end } = await verifyAudit(db, key, head)
  if (problems > 0) return printFindings('The log is not intact', findings, problems, out)
  const archived = archivedThrough === 0 ? '' : ` after ${count(archivedThrough)} archived`
  out(`The log is intact: ${count(entries)}${archived}, head ${headText(end)}`)
  return 0
}

async function verifyFile(file: string, key: Uint8Array, head: ChainEnd | undefined, out: Out): Promise<0 | 1> {
  const { findings, problems, summary } = await verifyArchive(file, key, head)
  if (summary === undefined) return printFindings('The file is not intact', findings, problems, out)
  out(`The file is intact: ${count(summary.count)}, ${summary.firstSeq} to ${summary.lastSeq}.`)
  return 0
}

function printFindings(verdict: string, findings: readonly string[], problems: number, out: Out): 1 {
  out(`${verdict}: ${problems.toLocaleString('en-US')} ${problems === 1 ? 'finding' : 'findings'}.`)
  for (const finding of findings) out(finding)
  if (problems > findings.length) out('Only the first are shown.')
  return 1
}

function readHead(text: string): ChainEnd {
  const head = parseHead(text)
  if (head === undefined) throw new AuditError(`"${text}" is not a head. Send it as logged: 1234:<64 hex digits>.`)
  return head
}

/** Prints errors that the operator can fix. Others are thrown. */
async function reportingErrors(out: Out, command: () => Promise<0 | 1>): Promise<0 | 1> {
  try {
    return await command()
  } catch (error) {
    const isFileError = error instanceof Error && 'path' in error && 'code' in error
    if (!(error instanceof AuditError || isFileError)) throw error
    out(error.message)
    return 1
  }
}
