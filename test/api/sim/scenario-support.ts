import assert from 'node:assert/strict'
import type { Connection } from '../../../src/database/open.ts'
import { exportText } from '../../support/service/import.ts'

export const scenarioPath = '/x/v1/scenarios'
export type Scenario = { Name: string; Title: string; IsShipped: boolean; IsLoaded: boolean; LoadedAt?: string }
export type Details = Scenario & { Records?: { Kind: string; Count: number; Keys: string[] }[] }
export type ErrorBody = { ErrorCode: string; Message: string; ModelState?: Record<string, string[]> }

/** The first line of a scenario. */
export const head = (Name: string) => ({ kind: 'scenario', Name, Title: 'T', Shows: 'S.', View: 'V.', LookAt: 'L.' })

const kinds =
  'calendar exchange instrument optionRoot client account user accessRight position event app election'.split(' ')

/** Every record of every kind. The returned function asserts that they are the same again. */
export async function holdEverything(connection: Connection): Promise<() => Promise<void>> {
  const read = async () => (await exportText(connection, kinds)).split('\n')
  const before = await read()
  return async () => {
    const after = await read()
    const [had, has] = [new Set(before), new Set(after)]
    const changed = { lost: before.filter((line) => !has.has(line)), left: after.filter((line) => !had.has(line)) }
    assert.deepEqual(changed, { lost: [], left: [] })
    assert.equal(after.length, before.length)
  }
}
