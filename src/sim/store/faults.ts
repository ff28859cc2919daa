import type { Selectable } from 'kysely'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { Tables } from '../../database/tables/tables.ts'
import type { Fault, FaultKind } from '../rules/fault.ts'

const maxListed = 1_000

function faultOf(row: Selectable<Tables['app_fault']>): Fault {
  return {
    appKey: row.app_key,
    kind: row.kind as FaultKind,
    percent: row.percent,
    delaySeconds: row.delay_seconds ?? undefined,
    group: row.service_group ?? undefined,
    endsAt: row.ends_at,
  }
}

/** All faults with the client of their app, including those that have ended and were not replaced or removed. */
export async function readFaults(db: Db): Promise<(Fault & { clientKey: string | null })[]> {
  const rows = await db
    .selectFrom('app_fault')
    .innerJoin('app', 'app.app_key', 'app_fault.app_key')
    .selectAll('app_fault')
    .select('app.client_key')
    .execute()
  return rows.map((row) => ({ ...faultOf(row), clientKey: row.client_key }))
}

export async function listFaultsOfClient(db: Db, clientKey: string): Promise<(Fault & { appName: string })[]> {
  const rows = await db
    .selectFrom('app_fault')
    .innerJoin('app', 'app.app_key', 'app_fault.app_key')
    .selectAll('app_fault')
    .select('app.name')
    .where('client_key', '=', clientKey)
    .orderBy('app.name')
    .orderBy('app.app_key')
    .limit(maxListed)
    .execute()
  return rows.map((row) => ({ ...faultOf(row), appName: row.name }))
}

/** Locks an app until the transaction ends. Returns its name; undefined if it is not the client's. */
export async function lockAppName(trx: Trx, clientKey: string, appKey: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('app')
    .select('name')
    .where('app_key', '=', appKey)
    .where('client_key', '=', clientKey)
    .forKeyShare()
    .executeTakeFirst()
  return row?.name
}

export async function writeFault(trx: Trx, fault: Fault): Promise<void> {
  const values = {
    kind: fault.kind,
    percent: fault.percent,
    delay_seconds: fault.delaySeconds ?? null,
    service_group: fault.group ?? null,
    ends_at: fault.endsAt.toString(),
  }
  await trx
    .insertInto('app_fault')
    .values({ app_key: fault.appKey, ...values })
    .onConflict((conflict) => conflict.column('app_key').doUpdateSet(values))
    .execute()
  await announce(trx, [{ topic: 'fault', key: fault.appKey }])
}

/** False if there was none. */
export async function deleteFault(trx: Trx, appKey: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('app_fault').where('app_key', '=', appKey).executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await announce(trx, [{ topic: 'fault', key: appKey }])
  return true
}
