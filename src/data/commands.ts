import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { PublishedCredentials } from '../core/crypto/published.ts'
import { isRunNumber } from '../core/records/run-number.ts'
import { plural } from '../core/text.ts'
import type { Connection, Trx } from '../database/open.ts'
import { withOwnConnection } from '../database/staging/copy.ts'
import { referenceFamily } from '../instruments/import/kinds.ts'
import { explainMessages } from './explain.ts'
import { undoWork, withoutWarnings } from './history/undo.ts'
import { auditImport } from './import/audit.ts'
import { runImport, type Undo } from './import/run-import.ts'
import { summaryOf, undoNote } from './import/summary.ts'
import type { Count } from './kind.ts'
import { exporters, familiesOf, namedExporters } from './kinds.ts'
import { writeFileWhole, writeStream } from './output.ts'
import { Progress } from './progress.ts'
import { runExport } from './run-export.ts'
import { type Format, findSources, type Source } from './sources/sources.ts'

type Dependencies = Readonly<{
  connection: Connection
  masterKey: Buffer
  clock: Clock
  config: Pick<Config, 'secrets'>
  /** Credentials that live rejects. */
  published?: PublishedCredentials
  /** Waits, not for ever, until the running service has the revision. Returns what to say of it. */
  untilServed?(revision: number, signal: AbortSignal): Promise<string | undefined>
}>
/** Opens the service's database. Commands call it after they have checked their input. */
type Open = (work: (deps: Dependencies) => Promise<number>) => Promise<number>

/** Results go to standard output, everything else to standard error. */
type Out = Readonly<{ say(line: string): void; complain(line: string): void }>
const standard: Out = {
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
}

type ImportOptions = Readonly<{
  dryRun?: boolean
  explain?: boolean
  format?: Format
  skipUnknown?: boolean
  skipOther?: boolean
  today?: string
  undo?: string
}>

/** refdesk import FILE...: applies all files, or lists every error and changes nothing. */
export async function importFiles(
  files: readonly string[],
  options: ImportOptions,
  open: Open,
  out = standard,
): Promise<number> {
  if (options.undo !== undefined) return undoImport(files, options, open, out)
  const given = options.today === undefined ? undefined : parseDay(options.today)
  const sources = await findSources(files, process.stdin, options.format)
  if (options.explain === true) return explainMessages(sources, out)
  const choices = { skipsUnknown: options.skipUnknown === true, skipsOther: options.skipOther === true }
  return open((deps) => apply(deps, { sources, given, ...choices, isDryRun: options.dryRun === true }, out))
}

/** refdesk import --undo RUN: brings back the records that an import changed, if no one changed them since. */
async function undoImport(files: readonly string[], options: ImportOptions, open: Open, out: Out): Promise<number> {
  const { undo = '', dryRun, ...others } = options
  if (!isRunNumber(undo)) throw new Error(`--undo must be the number that the import printed, not ${undo}.`)
  if (files.length > 0 || Object.keys(others).length > 0)
    throw new Error('--undo takes no files, and no other option than --dry-run.')
  return open((deps) =>
    withOwnConnection(deps.connection, async (db) => {
      const { notes, ...work } = await undoWork(db, Number(undo), deps.clock.now())
      for (const line of notes) out.complain(line)
      return apply(deps, { ...work, skipsUnknown: false, skipsOther: false, isDryRun: dryRun === true }, out)
    }),
  )
}

type Work = Readonly<{
  sources: readonly Source[]
  /** The day from which relative ones count. */
  given?: Temporal.PlainDate | undefined
  skipsUnknown: boolean
  skipsOther: boolean
  isDryRun: boolean
  undo?: Undo
}>

async function apply(deps: Dependencies, { given, ...work }: Work, out: Out): Promise<number> {
  const { connection, masterKey, clock, config, published, untilServed } = deps
  const { isDryRun, undo, sources } = work
  const now = clock.now()
  const { today, at } = loadingTime(now, given)
  const progress = new Progress(process.stderr, totalOf(sources.map(({ size }) => size)))
  const audit = (trx: Trx, counts: readonly Count[]) => auditImport(trx, now, counts, { undoes: undo?.run })
  const all = familiesOf({ masterKey, config, now, ...(published && { published }) })
  const families = undo ? withoutWarnings(all) : all
  const run = async (signal: AbortSignal) => {
    const outcome = await runImport({ ...work, connection, families, progress, today, now: at, audit, signal })
    if ('errors' in outcome || isDryRun || !changedReference(outcome.counts)) return { outcome }
    progress.begin('serving')
    return { outcome, served: await untilServed?.(outcome.revision, signal) }
  }
  const { outcome, served } = await untilInterrupted((signal) => run(signal).finally(() => progress.end()))
  if (!('errors' in outcome)) {
    const undoing = isDryRun || outcome.run === undefined ? [] : [undoNote(outcome.run)]
    const notes = [...outcome.notes, ...(served === undefined ? [] : [served]), ...undoing]
    for (const line of summaryOf(outcome.counts, notes, isDryRun)) out.say(line)
    out.complain(progress.took())
    if (!isDryRun) out.complain(sinceNote(outcome.cursor))
    return 0
  }
  for (const sentence of outcome.errors) out.complain(sentence)
  out.complain('Nothing was changed.')
  return 1
}

const referenceKinds = new Set(referenceFamily.kinds.map(({ name }) => name as string))

/** Whether nodes have something to build. */
const changedReference = (counts: readonly Count[]): boolean =>
  counts.some(({ kind, added, changed, removed }) => referenceKinds.has(kind) && added + changed + removed > 0)

/** The day and the time from which relative ones count: on another day, the same time of that day. */
function loadingTime(now: Temporal.Instant, given: Temporal.PlainDate | undefined) {
  const inUtc = now.toZonedDateTimeISO('UTC')
  const today = given ?? inUtc.toPlainDate()
  return { today, at: today.toZonedDateTime({ timeZone: 'UTC', plainTime: inUtc.toPlainTime() }).toInstant() }
}

function parseDay(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    throw new Error(`--today must be a date such as 2026-11-16, not ${text}.`)
  }
}

/** Ctrl-C rolls the run back and says so. A second Ctrl-C ends the process. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController()
  const interrupt = () => {
    const reason = new Error('Interrupted. Nothing was changed.')
    interruption.abort(reason)
    // It may be waiting for input.
    process.stdin.on('error', () => {}).destroy(reason)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, interrupt)
  try {
    return await work(interruption.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}

function totalOf(sizes: readonly (number | undefined)[]): number | undefined {
  const total = sizes.reduce<number>((sum, size) => sum + (size ?? Number.NaN), 0)
  return Number.isNaN(total) ? undefined : total
}

const sinceNote = (cursor: string): string => `To see later changes: refdesk changes --since ${cursor}`

const exportName = /\.(ndjson|jsonl)(\.gz)?$/i

type ExportOptions = Readonly<{ kind?: readonly string[]; file?: string; since?: string }>

/** refdesk export: writes all records, or those of some kinds, in the import format. */
export async function exportRecords(options: ExportOptions, open: Open, out = standard): Promise<number> {
  const { kind: kinds, file } = options
  const chosen = kinds ? [...exporters, ...namedExporters].filter(({ kind }) => kinds.includes(kind)) : exporters
  const since = sinceOf(options)
  if (file !== undefined && !exportName.test(file))
    throw new Error(`An export is NDJSON. Give a file name that ends in .ndjson or .ndjson.gz instead of ${file}.`)
  return open(async ({ connection }) => {
    const { count, cursor } = await runExport(
      connection,
      chosen,
      (lines) => (file === undefined ? writeStream(process.stdout, lines) : writeFileWhole(file, lines)),
      since,
    )
    out.complain(`Wrote ${plural(count, 'record')}${file === undefined ? '' : ` to ${file}`}.`)
    out.complain(sinceNote(cursor))
    return 0
  })
}

/** The number of the last election that the caller has. */
function sinceOf({ since, kind }: ExportOptions): number {
  if (since === undefined) return 0
  if (kind?.length !== 1 || kind[0] !== 'election')
    throw new Error('Only elections have numbers: use --since with --kind election alone.')
  if (!/^\d{1,15}$/.test(since)) throw new Error(`--since must be the Number of an election, not ${since}.`)
  return Number(since)
}
