import { parseArgs } from 'node:util'
import type { Db } from '../database/open.ts'
import { ArchiveRefused, archiveAudit, verifyArchive } from './archive.ts'
import { verifyAudit } from './chain.ts'
import { type ChainEnd, headText, parseHead } from './rules/chain.ts'

/** Prints one line for a person. */
export type Out = (line: string) => void

class Usage extends Error {}

const count = (entries: number): string => `${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}`

/** `refdesk audit verify [--head seq:mac] [--file archive]`: the log, or a file that was archived from it. */
export function auditVerify(db: Db, key: Uint8Array, args: readonly string[], out: Out): Promise<0 | 1> {
  return answering(out, async () => {
    const { head: noted, file } = readOptions(args, ['head', 'file'])
    const head = noted === undefined ? undefined : readNotedHead(noted)
    return file === undefined ? verifyLog(db, key, head, out) : verifyFile(file, key, head, out)
  })
}

/** `refdesk audit archive --before YYYY-MM --file archive` */
export function auditArchive(db: Db, key: Uint8Array, args: readonly string[], out: Out): Promise<0 | 1> {
  return answering(out, async () => {
    const { before, file } = readOptions(args, ['before', 'file'])
    if (before === undefined || file === undefined) {
      throw new Usage('Say which months go where: refdesk audit archive --before YYYY-MM --file <new file>')
    }
    const archived = await archiveAudit(db, key, { before, file })
    if (archived === undefined) out(`Nothing to archive: the log has no entry from before ${before}.`)
    else out(`${count(archived.count)}, ${archived.firstSeq} to ${archived.lastSeq}, moved to ${file}. Keep that file.`)
    return 0
  })
}

async function verifyLog(db: Db, key: Uint8Array, head: ChainEnd | undefined, out: Out): Promise<0 | 1> {
  const { findings, problems, entries, archivedThrough, head: end } = await verifyAudit(db, key, { head })
  if (problems > 0) return tellFindings('The log is not whole', findings, problems, out)
  const archived = archivedThrough === 0 ? '' : ` after ${count(archivedThrough)} archived`
  out(`The log is whole: ${count(entries)}${archived}, head ${headText(end)}`)
  return 0
}

async function verifyFile(file: string, key: Uint8Array, head: ChainEnd | undefined, out: Out): Promise<0 | 1> {
  const { findings, problems, summary } = await verifyArchive(file, key, head)
  if (summary === undefined) return tellFindings('The file is not whole', findings, problems, out)
  out(`The file is whole: ${count(summary.count)}, ${summary.firstSeq} to ${summary.lastSeq}.`)
  return 0
}

function tellFindings(verdict: string, findings: readonly string[], problems: number, out: Out): 1 {
  out(`${verdict}: ${problems.toLocaleString('en-US')} ${problems === 1 ? 'finding' : 'findings'}.`)
  for (const finding of findings) out(finding)
  if (problems > findings.length) out('Only the first are shown.')
  return 1
}

function readOptions<const Name extends string>(args: readonly string[], names: readonly Name[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options }).values as Partial<Record<Name, string>>
  } catch (error) {
    throw new Usage((error as Error).message)
  }
}

function readNotedHead(text: string): ChainEnd {
  const head = parseHead(text)
  if (head === undefined) throw new Usage(`"${text}" is not a head. It looks like 1234:<64 hex digits>, as logged.`)
  return head
}

/** What the operator can mend is told in a sentence; a fault of ours is not hidden. */
async function answering(out: Out, command: () => Promise<0 | 1>): Promise<0 | 1> {
  try {
    return await command()
  } catch (error) {
    const isFileTrouble = error instanceof Error && 'path' in error && 'code' in error
    if (!(error instanceof Usage || error instanceof ArchiveRefused || isFileTrouble)) throw error
    out(error.message)
    return 1
  }
}
