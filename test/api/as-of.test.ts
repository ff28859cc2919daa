import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pruneHistory } from '../../src/data/store/prune-history.ts'
import type { ErrorBody } from '../support/reference/rest.ts'
import { exchange, importTexts, instrument, lines } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl, node } = service
const token = (await obtainTokens(url, { user: 'ada' })).access_token
const get = (path: string) => getRest(baseUrl, path, token)
const load = async (...records: object[]) => {
  const { errors } = await importTexts(service.database.connection, { 'f.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
}
/** The revision that the service serves after an import. */
const served = async (...records: object[]): Promise<number> => {
  const before = node.catalogue.current().revision
  await load(...records)
  await node.catalogue.reached(before + 1)
  return before + 1
}
const now = (): string => Temporal.Now.instant().toString({ smallestUnit: 'microsecond' })
const details = async (uic: number, asOf?: string | number) => {
  const query = asOf === undefined ? '' : `?AsOf=${encodeURIComponent(asOf)}`
  const response = await get(`/ref/v1/instruments/details/${uic}/Stock${query}`)
  const body = (await response.json()) as { Description?: string; ErrorCode?: string }
  return response.status === 200 ? body.Description : `${response.status} ${body.ErrorCode}`
}

test('details of an instrument are those of the moment: an instant or a revision', async () => {
  const first = await served(exchange, instrument(1, { Description: 'First' }))
  const between = now()
  const second = await served(instrument(1, { Description: 'Second' }), instrument(2))
  await served({ kind: 'instrument', Uic: 2, delete: true })

  assert.equal(await details(1), 'Second')
  assert.equal(await details(1, between), 'First')
  assert.equal(await details(1, first), 'First')
  assert.equal(await details(1, second), 'Second')
  assert.equal(await details(2, second), 'Instrument 2')
  assert.equal(await details(2, first), '404 IllegalInstrumentId')
  assert.equal(await details(1, first - 1), '404 IllegalInstrumentId')
})

const paths = [
  '/ref/v1/instruments',
  '/ref/v1/instruments/details',
  '/ref/v1/instruments/details/1/Stock',
  '/ref/v1/instruments/contractoptionspaces/1',
  '/ref/v1/instruments/futuresspaces/1',
  '/ref/v1/instruments/tradingschedule/1/Stock',
]
const errorOf = async (path: string, asOf: string) => {
  const response = await get(`${path}?AsOf=${encodeURIComponent(asOf)}`)
  const { ErrorCode, Message, ModelState } = (await response.json()) as ErrorBody
  return [response.status, ErrorCode, ModelState?.AsOf?.[0] ?? Message] as const
}

test('a moment that cannot be answered is an error that says which ones can be', async () => {
  const path = '/ref/v1/instruments/details/1/Stock'
  const [, , badly] = await errorOf(path, 'yesterday')
  assert.match(badly, /^Must be an instant such as/)
  const [status, code, future] = await errorOf(path, '2999-01-01T00:00:00Z')
  assert.deepEqual([status, code], [400, 'InvalidModelState'])
  assert.match(future, /^Must not be in the future: it is 20/)
  const { revision } = node.catalogue.current()
  const [, , unknown] = await errorOf(path, String(revision + 1))
  assert.equal(unknown, `Revision ${revision + 1} does not exist yet. The latest is ${revision}.`)

  await pruneHistory(node.context.db, 0)
  for (const each of paths)
    for (const asOf of ['2020-01-01T00:00:00Z', String(revision - 1)]) {
      const [gone, why, message] = await errorOf(each, asOf)
      assert.deepEqual([gone, why], [410, 'MomentExpired'], each)
      assert.match(message, new RegExp(`Ask for a moment from 20.* or revision ${revision} on`))
    }
  assert.equal(await details(1, revision), await details(1))
})
