import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { readByCursor } from '../../database/staging/copy.ts'
import type { AppDocument } from '../import/document.ts'
import { consoleApp } from './console-app.ts'

const instant = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** An app as an import record. Its secrets are hashes only. */
const document = sql`json_strip_nulls(json_build_object('AppKey', app_key, 'ClientKey', client_key, 'Name', name,
  'Description', description, 'Flow', flow, 'IsActive', is_active, 'Status', status,
  'Levels', json_build_object('Online', online_level, 'Offline', offline_level),
  'CreatedBy', created_by, 'CreatedAt', ${instant('created_at')},
  'RedirectUris', coalesce((select json_agg(json_build_object('Uri', uri, 'Description', r.description,
      'RedirectUriLabel', label) order by redirect_uri_id) from redirect_uri r where r.app_key = t.app_key), '[]'),
  'Secrets', coalesce((select json_agg(json_build_object('SecretSha256', encode(secret_sha256, 'hex'),
      'ValidFrom', ${instant('valid_from')}, 'ValidUntil', ${instant('valid_until')}) order by secret_id)
    from app_secret s where s.app_key = t.app_key), '[]')))`

type Row = { app_key: string; document: AppDocument }

export async function readAppDocuments(db: Db, keys: readonly string[]): Promise<Map<string, AppDocument>> {
  const { rows } = await sql<Row>`select app_key, ${document} as document from app t
    where app_key = any(${keys})`.execute(db)
  return new Map(rows.map((row) => [row.app_key, row.document]))
}

/** All apps except the console's, which every service creates itself. */
async function* read(db: Db): AsyncGenerator<string[]> {
  const query = sql<Row>`select app_key, ${document} as document from app t
    where app_key <> ${consoleApp.AppKey} order by app_key collate "C"`
  for await (const rows of readByCursor(db, query, 500)) yield rows.map((row) => JSON.stringify(row.document))
}

export const appExports = [{ kind: 'app', read }] as const
