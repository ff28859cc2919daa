import { sql } from 'kysely'
import { randomHex, seal, unseal } from '../../core/crypto/keys.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { RunRecord } from '../api/history-schema.ts'
import type { Count } from '../kind.ts'
import { currentState, isRunning, type UploadState } from '../uploads/rules/upload-state.ts'

export type UploadFile = Readonly<{ name: string; bytes: number }>
export type UploadProgress = Readonly<{ phase: string; records: number; percent?: number }>
/** What a run found: errors, or else what was or would be changed. */
export type UploadOutcome = Readonly<{
  errors: readonly string[]
  counts: readonly Count[]
  notes: readonly string[]
  revision: number
  /** Of the history. */
  run?: number | undefined
  /** The first records that would change. */
  records?: readonly RunRecord[] | undefined
}>

export type Upload = Readonly<{
  importId: string
  userKey: string
  uploadedAt: Temporal.Instant
  expiresAt: Temporal.Instant
  files: readonly UploadFile[]
  /** The run that it undoes. Such an import has no files. */
  undoes: number | null
  state: UploadState
  runId: string | null
  progress: UploadProgress | undefined
  outcome: UploadOutcome | undefined
  message: string | undefined
}>

/** Nodes say every two seconds that they work on a run. */
const aliveFor = sql`interval '20 seconds'`
const keptFor = sql`interval '1 hour'`
const maxUploads = 5

const stopped = 'The server that worked on it has stopped. Nothing was changed. Start it again.'

const outcomeContext = (importId: string): string => `import outcome ${importId}`
const partContext = (importId: string, file: number, part: number): string => `import ${importId} ${file} ${part}`

/** Adds the row of an upload, whose parts follow in the same transaction. The oldest uploads of the user make room. */
export async function addUpload(
  trx: Trx,
  userKey: string,
  files: readonly UploadFile[],
  undoes: number | null = null,
): Promise<string> {
  const importId = randomHex()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import of ${userKey}`}, 0))`.execute(trx)
  await sql`insert into import_upload (import_id, user_key, expires_at, files, undoes, state)
    values (${importId}, ${userKey}, clock_timestamp() + ${keptFor}, ${JSON.stringify(files)}, ${undoes}, 'Uploaded')`.execute(
    trx,
  )
  await sql`delete from import_upload where import_id in (
    select import_id from import_upload where user_key = ${userKey} and import_id <> ${importId}
    order by state in ('Checking', 'Applying') desc, uploaded_at desc offset ${maxUploads - 1})`.execute(trx)
  return importId
}

type Part = Readonly<{ importId: string; file: number; part: number; bytes: Uint8Array }>

export async function addPart(trx: Trx, key: Buffer, { importId, file, part, bytes }: Part): Promise<void> {
  const sealed = seal(key, bytes, partContext(importId, file, part))
  await trx.insertInto('import_upload_part').values({ import_id: importId, file, part, sealed }).execute()
}

/** The bytes of a file, a part at a time. */
export async function* readParts(db: Db, key: Buffer, importId: string, file: number): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const row = await db
      .selectFrom('import_upload_part')
      .select('sealed')
      .where('import_id', '=', importId)
      .where('file', '=', file)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!row) return
    yield unseal(key, row.sealed, partContext(importId, file, part))
  }
}

const uploads = (db: Db, userKey: string) =>
  db
    .selectFrom('import_upload')
    .select([
      'import_id',
      'user_key',
      'uploaded_at',
      'expires_at',
      'files',
      'undoes',
      'state',
      'run_id',
      'progress',
      'outcome',
    ])
    .select(['message', sql<boolean>`coalesce(beat_at > clock_timestamp() - ${aliveFor}, false)`.as('is_alive')])
    .where('user_key', '=', userKey)
    .where('expires_at', '>', sql<never>`clock_timestamp()`)

type Row = Awaited<ReturnType<ReturnType<typeof uploads>['executeTakeFirstOrThrow']>>

function uploadOf(key: Buffer, row: Row): Upload {
  const state = currentState(row.state, row.is_alive)
  const message = state === row.state ? row.message : stopped
  const text = row.outcome && unseal(key, row.outcome, outcomeContext(row.import_id)).toString()
  return {
    importId: row.import_id,
    userKey: row.user_key,
    uploadedAt: row.uploaded_at,
    expiresAt: row.expires_at,
    files: row.files,
    undoes: row.undoes,
    state,
    runId: row.run_id,
    progress: isRunning(state) ? (row.progress ?? undefined) : undefined,
    outcome: text === null ? undefined : JSON.parse(text),
    message: message ?? undefined,
  }
}

/** Newest first. */
export async function listUploads(db: Db, key: Buffer, userKey: string): Promise<Upload[]> {
  const rows = await uploads(db, userKey).orderBy('uploaded_at', 'desc').limit(maxUploads).execute()
  return rows.map((row) => uploadOf(key, row))
}

export async function findUpload(db: Db, key: Buffer, userKey: string, importId: string): Promise<Upload | undefined> {
  const row = await uploads(db, userKey).where('import_id', '=', importId).executeTakeFirst()
  return row && uploadOf(key, row)
}

/** Deletes an upload that is not being applied. Returns whether it did. */
export async function removeUpload(db: Db, { importId, runId }: Upload): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('import_upload')
    .where('import_id', '=', importId)
    .where('run_id', 'is not distinct from', runId)
    .executeTakeFirst()
  return numDeletedRows > 0
}

/** Begins a run, unless another one has begun since the upload was read, or one that seemed to have stopped has applied it.
 *  Returns its id. */
export async function beginRun(
  db: Db,
  { importId, runId: before }: Upload,
  state: 'Checking' | 'Applying',
): Promise<string | undefined> {
  const runId = randomHex()
  const { rows } = await sql`update import_upload set state = ${state}, run_id = ${runId}, beat_at = clock_timestamp(),
      expires_at = clock_timestamp() + ${keptFor}, progress = null, message = null
    where import_id = ${importId} and run_id is not distinct from ${before} and state <> 'Applied' returning 1`.execute(
    db,
  )
  return rows.length > 0 ? runId : undefined
}

export type Run = Readonly<{ importId: string; runId: string }>

/** Returns false if the upload was deleted, or another run has begun. */
export async function beatRun(
  db: Db,
  { importId, runId }: Run,
  progress: UploadProgress | undefined,
): Promise<boolean> {
  const { rows } = await sql`update import_upload
    set beat_at = clock_timestamp(), expires_at = case when state in ('Checking', 'Applying')
        then greatest(expires_at, clock_timestamp() + interval '10 minutes') else expires_at end,
      progress = coalesce(${progress ? JSON.stringify(progress) : null}::jsonb, progress)
    where import_id = ${importId} and run_id = ${runId} returning 1`.execute(db)
  return rows.length > 0
}

/** Ends a run with what it found. Returns false if it is no longer the newest one: then it must not apply anything. */
export async function endRun(
  db: Db,
  key: Buffer,
  { importId, runId }: Run,
  state: 'Checked' | 'Applied',
  outcome: UploadOutcome,
): Promise<boolean> {
  const sealed = seal(key, JSON.stringify(outcome), outcomeContext(importId))
  const { numUpdatedRows } = await db
    .updateTable('import_upload')
    .set({ state, outcome: sealed, message: null, progress: null })
    .where('import_id', '=', importId)
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Ends a run without an outcome. One that has been applied stays so. */
export async function failRun(db: Db, { importId, runId }: Run, message: string): Promise<void> {
  await sql`update import_upload set state = case state when 'Checking' then 'Uploaded' else 'Checked' end,
      message = ${message}, progress = null
    where import_id = ${importId} and run_id = ${runId} and state in ('Checking', 'Applying')`.execute(db)
}
