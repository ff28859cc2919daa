import assert from 'node:assert/strict'
import { getRest } from '../sign-in.ts'

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
