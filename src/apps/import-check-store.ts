import { clientsAfter, unknownKey, usersAfter } from '../access/import-check-store.ts'
import { findStagedFaults, type StagedFaults } from '../database/copy.ts'
import type { Db } from '../database/open.ts'

export const appStage = {
  table: 'staged_app',
  columns: { app_key: 'text', client_key: 'text', created_by: 'text', document: 'json' },
}

/** Apps name clients and users, which may come with the same import. */
export async function findAppFaults(db: Db): Promise<StagedFaults[]> {
  const app = { kind: 'app', table: 'staged_app', key: 'app_key' }
  const client = { name: 'client', key: 'client_key' }
  const user = { name: 'user', key: 'user_key' }
  return [
    await findStagedFaults(db, unknownKey({ ...app, column: 'client_key', field: 'ClientKey' }, clientsAfter, client)),
    await findStagedFaults(db, unknownKey({ ...app, column: 'created_by', field: 'CreatedBy' }, usersAfter, user)),
  ]
}
