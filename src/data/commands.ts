import { parseArgs } from 'node:util'
import { appendAudit } from '../audit/append.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import { plural } from '../core/text.ts'
import type { Connection, Trx } from '../database/open.ts'
import { runImport } from './import/run-import.ts'
import { summaryOf } from './import/summary.ts'
import type { Count } from './kind.ts'
import { exporters, familiesOf } from './kinds.ts'
import { writeFileWhole, writeStream } from './output.ts'
import { Progress } from './progress.ts'
import { runExport } from './run-export.ts'
import { findSources, formatNamed } from './sources/sources.ts'

type Parts = Readonly<{ connection: Connection; masterKey: Buffer; clock: Clock; config: Pick<Config, 'secrets'> }>
/** Opens the service's database, when the words of the command have turned out to be right. */
type Open = (work: (parts: Parts) => Promise<number>) => Promise<number>

/** Results go to standard output, everything else to standard error. */
type Out = Readonly<{ say(line: string): void; complain(line: string): void }>
const standard: Out = {
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
}

const importOptions = {
  'dry-run': { type: 'boolean' },
  format: { type: 'string' },
  'skip-unknown': { type: 'boolean' },
  'skip-other': { type: 'boolean' },
  today: { type: 'string' },
} as const

/** refdesk import FILE...: all of the files or, told why, nothing of them. */
export async function importFiles(args: string[], open: Open, out = standard): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: importOptions, allowPositionals: true })
  const format = values.format === undefined ? undefined : formatNamed(values.format)
  const given = values.today === undefined ? undefined : parseDay(values.today)
  const sources = await findSources(positionals, process.stdin, format)
  return open(async ({ connection, masterKey, clock, config }) => {
    const now = clock.now()
    const today = given ?? now.toZonedDateTimeISO('UTC').toPlainDate()
    const isDryRun = values['dry-run'] === true
    const [skipsUnknown, skipsOther] = [values['skip-unknown'] === true, values['skip-other'] === true]
    const progress = new Progress(process.stderr, totalOf(sources.map(({ size }) => size)))
    const audit = (trx: Trx, counts: readonly Count[]) => auditImport(trx, now, counts)
    const families = familiesOf({ masterKey, config, now })
    const outcome = await untilInterrupted((signal) =>
      runImport({
        connection,
        families,
        sources,
        progress,
        isDryRun,
        skipsUnknown,
        skipsOther,
        today,
        audit,
        signal,
      }).finally(() => progress.end()),
    )
    if (!('errors' in outcome)) {
      for (const line of summaryOf(outcome.counts, outcome.notes, isDryRun)) out.say(line)
      return 0
    }
    for (const sentence of outcome.errors) out.complain(sentence)
    out.complain('Nothing was changed.')
    return 1
  })
}

function parseDay(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    throw new Error(`--today must be a date such as 2026-11-16, not ${text}.`)
  }
}

/** Ctrl-C undoes the run and says so; the second one ends the process as ever. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort(new Error('Interrupted. Nothing was changed.'))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, interrupt)
  try {
    return await work(interruption.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}

function totalOf(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  )
}

async function auditImport(trx: Trx, now: Temporal.Instant, counts: readonly Count[]): Promise<void> {
  const said = counts.flatMap(({ kind, added, changed, removed }) =>
    added + changed + removed === 0 ? [] : [[kind, `${added} added, ${changed} changed, ${removed} removed`]],
  )
  await appendAudit(trx, { at: now, kind: 'ImportApplied', detail: { by: 'operator', ...Object.fromEntries(said) } })
}

/** So that an import reads it back as what it is. */
const exportEnding = /\.(ndjson|jsonl)(\.gz)?$/i

/** refdesk export: the same format back, of all kinds or of those that are named. */
export async function exportRecords(args: string[], open: Open, out = standard): Promise<number> {
  const options = { kind: { type: 'string', multiple: true }, file: { type: 'string' } } as const
  const { values } = parseArgs({ args, options })
  const names = exporters.map(({ kind }) => kind)
  const unknown = values.kind?.find((kind) => !names.includes(kind))
  if (unknown !== undefined) throw new Error(`There is no kind ${unknown}; there are ${names.join(', ')}.`)
  const chosen = values.kind ? exporters.filter(({ kind }) => values.kind?.includes(kind)) : exporters
  const { file } = values
  if (file !== undefined && !exportEnding.test(file))
    throw new Error(`An export is NDJSON: end the name of ${file} in .ndjson or .ndjson.gz.`)
  return open(async ({ connection }) => {
    const count = await runExport(connection, chosen, (lines) =>
      file === undefined ? writeStream(process.stdout, lines) : writeFileWhole(file, lines),
    )
    out.complain(
      `${plural(count, 'record')} ${count === 1 ? 'was' : 'were'} written${file === undefined ? '' : ` to ${file}`}.`,
    )
    return 0
  })
}
