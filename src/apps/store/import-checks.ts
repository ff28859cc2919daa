import { sql } from 'kysely'
import { knownClient, knownUser, unknownKey } from '../../access/store/import-checks.ts'
import type { Db } from '../../database/open.ts'
import { findStagedErrors, type StagedErrors } from '../../database/staging/copy.ts'
import { consoleApp } from './console-app.ts'

export const appStage = {
  table: 'staged_app',
  columns: { app_key: 'text', client_key: 'text', created_by: 'text', document: 'json' },
}

/** Overwriting the console's app would allow redirecting its sign-ins elsewhere. */
const consoleKey = sql`select line, 'app'::text, app_key, 'AppKey'::text,
    'Is reserved for the console.'::text, null::bigint
  from staged_app where app_key = ${consoleApp.AppKey}`

/** Apps refer to clients and users, which may be part of the same import. */
export async function findAppErrors(db: Db): Promise<StagedErrors[]> {
  const app = { kind: 'app', table: 'staged_app', key: 'app_key' }
  return [
    await findStagedErrors(db, consoleKey),
    await findStagedErrors(db, unknownKey(app, 'ClientKey', knownClient)),
    await findStagedErrors(db, unknownKey(app, 'CreatedBy', knownUser)),
  ]
}
