import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountKeys, eventService, path, position } from '../../support/events/event-service.ts'
import { mt564 } from '../../support/events/message-import.ts'
import { changed } from '../../support/events/messages.ts'
import { exportText, importTexts } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const { service, find, list, ids } = await eventService({ positions: [position(accountKeys.treasury, 2, 30)] })
const vendor = await serviceForFile({ besides: service, env: { COMPAT: 'vendor' } })
const { access_token } = await obtainTokens(service.url, { user: 'ada' })

/** An offer of Nestlé with a response deadline on a day, and a market deadline at midnight UTC. */
const options = ['CASH', 'NOAC']
  .map((code, index) =>
    [
      ':16R:CAOPTN',
      `:13A::CAON//00${index + 1}`,
      `:22F::CAOP//${code}`,
      ':98A::RDDT//20261116',
      ':98C::MKDT//20261118000000',
      ':16S:CAOPTN\n',
    ].join('\n'),
  )
  .join('')
const message = changed(
  mt564('DAY1', 'CH0038863350').replace('CAMV//MAND', 'CAMV//VOLU'),
  ':16S:CADETL\n',
  `:16S:CADETL\n${options}`,
)
const { errors } = await importTexts(service.database.connection, { 'a.fin': message })
assert.deepEqual(errors, [])

const asked = async (baseUrl: string, address: string, accept: string): Promise<string> => {
  const headers = { authorization: `Bearer ${access_token}`, accept }
  const response = await fetch(`${baseUrl}${path}${address}`, { headers })
  assert.equal(response.status, 200)
  return await response.text()
}

test('responses have midnight without a fraction for a day, in both profiles, and with one for a time', async () => {
  const expected = { Deadline: '2026-11-16T00:00:00Z', MarketDeadline: '2026-11-18T00:00:00.000000Z' }
  const response = await getRest(vendor.baseUrl, `${path}/DAY1-2`, access_token)
  for (const { Options = [] } of [await find('DAY1-2'), (await response.json()) as Awaited<ReturnType<typeof find>>])
    for (const { Deadline, MarketDeadline } of Options)
      assert.deepEqual({ Deadline: Deadline?.Date, MarketDeadline: MarketDeadline?.Date }, expected)
})

test('CSV and iCalendar have the day', async () => {
  const csv = await asked(service.baseUrl, '/DAY1-2', 'text/csv')
  assert.match(csv, /,2026-11-16,/)
  assert.doesNotMatch(csv, /2026-11-16T00:00/)
  const calendar = await asked(service.baseUrl, '/DAY1-2', 'text/calendar')
  assert.match(calendar, /\r\nDTSTART;VALUE=DATE:20261116\r\nDTEND;VALUE=DATE:20261117\r\nSUMMARY:Deadline: /)
  assert.match(calendar.replaceAll('\r\n ', ''), /deadline 2026-11-16\\, market deadline 2026-11-18 00:00 UTC/)
})

test('the export has the day, and can be imported again without a change', async () => {
  const text = await exportText(service.database.connection, ['event'])
  assert.match(text, /"Deadline":\{"Date":"2026-11-16"\}/)
  assert.match(text, /"MarketDeadline":\{"Date":"2026-11-18T00:00:00\.000000Z"\}/)
  const again = await importTexts(service.database.connection, { 'e.ndjson': text })
  assert.deepEqual([again.errors, again.counts], [[], { event: { unchanged: 1 } }])
})

test('filters by the day, and rejects what is neither a day nor a time', async () => {
  assert.deepEqual(await ids('FromDeadlineDate=2026-11-16&ToDeadlineDate=2026-11-16'), ['DAY1-2'])
  assert.equal((await list('FromDeadlineDate=2026-11-17')).__count, 0)
  const text = await exportText(service.database.connection, ['event'])
  for (const wrong of ['2026-11-31', '2026-11-16T00:00Z', 'soon']) {
    const record = text.replace('"Deadline":{"Date":"2026-11-16"}', `"Deadline":{"Date":"${wrong}"}`)
    const rejected = await importTexts(service.database.connection, { 'e.ndjson': record })
    assert.match(
      rejected.errors.join('\n'),
      /field Options\[0\]\.Deadline\.Date: Must be a day like 2026-12-31, or a date-time like/,
    )
  }
})
