import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { PublishedCredentials } from '../../core/crypto/published.ts'
import { isOutage } from '../../core/network/outage.ts'
import { type Connection, type Db, openDatabase, patientTimeouts, type Trx } from '../../database/open.ts'
import { findRun } from '../../database/staging/history.ts'
import { readRunRecords } from '../history/run-records.ts'
import { undoWork, withoutWarnings } from '../history/undo.ts'
import { auditImport } from '../import/audit.ts'
import { ImportBusy, runImport } from '../import/run-import.ts'
import type { Count } from '../kind.ts'
import { familiesOf } from '../kinds.ts'
import type { Phase } from '../progress.ts'
import { boundRecords, boundTogether } from '../sources/bounded.ts'
import { formatOf, keptSource, type Source } from '../sources/sources.ts'
import { findRunRow } from '../store/runs.ts'
import { endRun, failRun, type Run, readParts, type UploadFile, type UploadOutcome } from '../store/uploads.ts'
import { uploadKey } from './upload-key.ts'

/** What a run needs, in a form that can be sent to a thread. */
export type Order = Readonly<{
  connection: Connection
  masterKey: Uint8Array
  secrets: Config['secrets']
  published: PublishedCredentials
  run: Run
  files: readonly UploadFile[]
  /** The run to undo, instead of files. */
  undoes: number | null
  isApplied: boolean
  /** The service's time. */
  now: string
  actor: Readonly<{ user: string; session: string; app: string; address: string }>
}>

export type Message =
  | Readonly<{ progress: Readonly<{ phase: string; records: number; percent?: number }> }>
  /** Before others can see what it found. */
  | Readonly<{ ending: true }>
  | Readonly<{ ended: true; unexpected?: string }>

const maxPlainBytes = 512 * 1024 * 1024
const maxRecords = 300_000
const reportMs = 500

const say = (message: Message): void => parentPort?.postMessage(message)

/** Reports at most twice a second, and every phase. */
function progressOf(totalBytes: number) {
  let phase: Phase = 'reading'
  let [bytes, records, step, steps, saidAt] = [0, 0, 0, 0, 0]
  const report = (isDue = false) => {
    const now = performance.now()
    if (!isDue && now - saidAt < reportMs) return
    saidAt = now
    const [done, all] = phase === 'reading' ? [bytes, totalBytes] : [step, steps]
    const share = all > 0 ? done / all : undefined
    const percent = share === undefined ? {} : { percent: Math.min(100, Math.floor(share * 100)) }
    say({ progress: { phase, records, ...percent } })
  }
  return {
    addBytes: (count: number) => {
      bytes += count
    },
    addRecords: (count: number) => {
      records += count
      report()
    },
    begin: (next: Phase, total = 0) => {
      ;[phase, step, steps] = [next, 0, total]
      report(true)
    },
    step: () => {
      step++
      report()
    },
  }
}

function sourcesOf(db: Db, key: Buffer, { files, run }: Order): readonly Source[] {
  const kept = files.map(({ name, bytes }, index) => {
    const format = formatOf(name) ?? 'ndjson'
    return keptSource({ name, format, size: bytes }, () => readParts(db, key, run.importId, index))
  })
  return boundTogether(kept, maxPlainBytes)
}

const maxShown = 20

async function readPreview(trx: Trx, run: number) {
  const found = await findRunRow(trx, run)
  return found ? (await readRunRecords(trx, found, { limit: maxShown })).records : []
}

const noOutcome: UploadOutcome = { errors: [], counts: [], notes: [], revision: 0 }

/** What it applies and that it did is one transaction, in which a run that is no longer the newest one fails. */
async function runUpload(db: Db, order: Order): Promise<void> {
  const { connection, secrets, published, run, files, undoes, isApplied, actor } = order
  const masterKey = Buffer.from(order.masterKey)
  const key = uploadKey(masterKey)
  const now = Temporal.Instant.from(order.now)
  const { notes, ...work } =
    undoes === null
      ? { notes: [], sources: sourcesOf(db, key, order), countRecord: boundRecords(maxRecords, maxPlainBytes) }
      : await undoWork(db, undoes, now)
  const audit = async (trx: Trx, counts: readonly Count[], revision: number) => {
    if (!isApplied) return
    await auditImport(trx, now, counts, { ...actor, undoes: undoes ?? undefined })
    const outcome = { ...noOutcome, counts, notes, revision, run: await findRun(trx) }
    say({ ending: true })
    if (!(await endRun(trx, key, run, 'Applied', outcome))) throw new Error('Another run has begun.')
  }
  const families = familiesOf({ masterKey, config: { secrets }, now, published })
  const outcome = await runImport({
    ...work,
    connection,
    families: undoes === null ? families : withoutWarnings(families),
    progress: progressOf(files.reduce((sum, { bytes }) => sum + bytes, 0)),
    isDryRun: !isApplied,
    skipsUnknown: false,
    skipsOther: false,
    today: now.toZonedDateTimeISO('UTC').toPlainDate(),
    now,
    audit,
    preview: readPreview,
  })
  say({ ending: true })
  if ('errors' in outcome) await endRun(db, key, run, 'Checked', { ...noOutcome, ...outcome })
  else
    await endRun(db, key, run, isApplied ? 'Applied' : 'Checked', {
      ...noOutcome,
      ...outcome,
      notes: [...notes, ...outcome.notes],
      run: isApplied ? outcome.run : undefined,
    })
}

const outage = 'The database was not available. Nothing was changed. Try again.'
const busy = 'Another import is running. Nothing was changed. Try again when it has ended.'
const unknown = 'It failed because of an error on our side. Nothing was changed.'

/** Errors of files are plain ones with a sentence; all others are not meant for people. */
function sentenceOf(error: unknown): { message: string; unexpected?: string } {
  if (error instanceof ImportBusy) return { message: busy }
  if (isOutage(error)) return { message: outage }
  const isOfFile = error instanceof Error && error.name === 'Error' && !('severity' in error)
  return isOfFile ? { message: error.message } : { message: unknown, unexpected: String(error) }
}

async function main(order: Order): Promise<void> {
  // Requests come first. On Linux this concerns only the calling thread.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const { db, close } = openDatabase(order.connection, 1, patientTimeouts)
  let ended: Message = { ended: true }
  try {
    await runUpload(db, order)
  } catch (error) {
    const { message, ...more } = sentenceOf(error)
    ended = { ended: true, ...more }
    say({ ending: true })
    await failRun(db, order.run, message)
  } finally {
    await close()
    say(ended)
  }
}

await main(workerData as Order)
