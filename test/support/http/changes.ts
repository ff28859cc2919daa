import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { importTexts, lines } from '../service/import.ts'
import type { TestService } from '../service/service.ts'
import { getRest, obtainTokens } from '../sign-in.ts'

export type Change = {
  Change: string
  Cursor: string
  Fields: string[]
  Id: string
  Kind: string
  Revision?: number
  Time: string
}
export type ChangesPage = { Data: Change[]; Cursor: string; __next?: string }

/** A page of changes. */
export async function readChanges(
  baseUrl: string,
  token: string,
  query: Record<string, string> = {},
): Promise<ChangesPage> {
  const response = await getRest(baseUrl, `/x/v1/changes?${new URLSearchParams(query)}`, token)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as ChangesPage
}

/** In short: `Added instrument 1`, with the fields. */
export const inShort = ({ Change, Kind, Id, Fields }: Change): string =>
  `${Change} ${Kind} ${Id}${Fields.length > 0 ? `: ${Fields}` : ''}`

/** Reads and writes what a service has in its feed. ada is an operator. */
export async function feedOf({ url, baseUrl, database: { connection }, node }: TestService) {
  const tokenOf = async (user: string) => (await obtainTokens(url, { user })).access_token
  const [ada, bo] = [await tokenOf('ada'), await tokenOf('bo')]
  await sql`update service_user set is_operator = true where name = 'ada'`.execute(node.context.db)
  const changes = (token: string, query: Record<string, string> = {}) => readChanges(baseUrl, token, query)
  return {
    ada,
    bo,
    changes,
    load: async (...records: object[]) => {
      const { errors } = await importTexts(connection, { 'f.ndjson': lines(...records) })
      assert.deepEqual(errors, [])
    },
    /** The current cursor. */
    now: async () => (await changes(ada)).Cursor,
    /** What a user sees after a cursor, in short. */
    since: async (Since: string, token = ada, query: Record<string, string> = {}) =>
      (await changes(token, { Since, ...query })).Data.map(inShort),
    statusOf: async (query: string, token = ada) => {
      const response = await getRest(baseUrl, `/x/v1/changes?${query}`, token)
      return [response.status, ((await response.json()) as { ErrorCode?: string }).ErrorCode]
    },
  }
}
