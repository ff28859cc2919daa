import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { locks } from '../locks.ts'
import type { Trx } from '../open.ts'

const pollMs = 100
const maxMs = 120_000

/** Must be called before the transaction locks any row that has a history: all writers of versions wait for each other, so that
 *  versions are numbered in the order of commits. `source` is what changes the data. With `onWait`, which is called once, it
 *  waits as long as it takes. */
export async function beginRun(trx: Trx, source: string, onWait?: () => void): Promise<void> {
  // Asks again and again, because an import may take longer than a statement may wait for a lock.
  for (let waited = 0; !(await tryLock(trx)); waited += pollMs) {
    if (waited === 0) onWait?.()
    if (waited >= maxMs && !onWait) throw new Error('Another change is taking a long time. Try again later.')
    await sleep(pollMs)
  }
  await sql`select set_config('refdesk.source', ${source}, true), set_config('refdesk.run', '', true)`.execute(trx)
}

async function tryLock(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${locks.history}) as mine`.execute(trx)
  return rows[0]?.mine ?? false
}

/** The run of this transaction; undefined if it has changed nothing. */
export async function findRun(trx: Trx): Promise<number | undefined> {
  const { rows } = await sql<{ run: string | null }>`select current_setting('refdesk.run', true) as run`.execute(trx)
  const run = rows[0]?.run ?? ''
  return run === '' ? undefined : Number(run)
}

/** For what replaces all data: begins a new history, in which what the transaction writes is not noted. A cursor of the former
 *  one is no longer valid. */
export async function restartHistory(trx: Trx): Promise<void> {
  await sql`select set_config('refdesk.history', 'off', true)`.execute(trx)
  await sql`with versions as (delete from record_version returning seq), runs as (delete from history_run),
      others as (delete from account_version)
    update history set identity = gen_random_uuid(),
      pruned_seq = greatest(pruned_seq, (select max(seq) from versions))`.execute(trx)
}
