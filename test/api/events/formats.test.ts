import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { calendarService, datesOf, entriesIn, foundIn, ours } from '../../support/events/calendar-service.ts'
import { path } from '../../support/events/event-service.ts'

const { url, baseUrl, getAs, eventsOf } = await calendarService()

describe('the forms of a list of events', () => {
  test('text/calendar has every date and deadline of the events, with unique ids', async () => {
    const response = await getAs('text/calendar', '?$top=1000')
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
    assert.match(response.headers.get('vary') ?? '', /\bAccept\b(?!-)/)
    const text = await response.text()
    const events = await eventsOf('?$top=1000')
    assert.ok(events.length >= 2)
    assert.deepEqual(foundIn(text).sort(), events.flatMap(datesOf).sort())
    const ids = entriesIn(text).map(({ uid }) => uid)
    assert.equal(new Set(ids).size, ids.length)
    for (const { summary } of entriesIn(text)) assert.match(summary, /^([A-Z][a-z ]+: )+.+, .+$/)
  })

  test('text/csv has one row per event, in the same order', async () => {
    const response = await getAs('text/csv', '?SortColumn=EventId&SortType=Asc')
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    const rows = parse(await response.text(), { columns: true }) as { EventId: string; EventState: string }[]
    const events = await eventsOf('?SortColumn=EventId&SortType=Asc')
    assert.deepEqual(
      rows.map(({ EventId, EventState }) => [EventId, EventState]),
      events.map(({ EventId, EventState }) => [EventId, EventState]),
    )
  })

  test('Link leads to the next page; the last page has none', async () => {
    const first = await getAs('text/calendar', `?${ours}&$top=1&SortType=Asc`)
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    assert.ok(next.startsWith(`${baseUrl}${path}?${ours}&$top=1&SortType=Asc&$skiptoken=`), next)
    const second = await getAs('text/csv', next)
    assert.equal(second.headers.get('link'), null)
    assert.ok(foundIn(await first.text()).every((entry) => entry.startsWith('trial%20dividend ')))
    assert.match(await second.text(), /\r\ntrial tender,/)
  })

  test('a single event has both formats; JSON is the default, also for errors', async () => {
    const one = await getAs('text/calendar, application/json;q=0.5', '/trial%20tender')
    assert.deepEqual(foundIn(await one.text()), [
      'trial%20tender 2026-12-20',
      'trial%20tender 2026-12-10T16:00:00Z',
      'trial%20tender 2026-12-22',
    ])
    for (const accept of ['*/*', 'image/png', 'application/json, text/csv'])
      assert.match((await getAs(accept, `?${ours}`)).headers.get('content-type') ?? '', /^application\/json/)
    const rejected = await getAs('text/calendar', '?$top=-1')
    assert.deepEqual([rejected.status, rejected.headers.get('content-type')], [400, 'application/json; charset=utf-8'])
    assert.equal((await getAs('text/csv', '/unheard%20of')).status, 404)
  })

  test('each format has its own ETag', async () => {
    const tags = await Promise.all(
      ['application/json', 'text/calendar', 'text/csv'].map(async (accept) => {
        const etag = (await getAs(accept, `?${ours}`)).headers.get('etag') ?? ''
        assert.equal((await getAs(accept, `?${ours}`, { 'if-none-match': etag })).status, 304)
        return etag
      }),
    )
    assert.equal(new Set(tags).size, 3)
  })

  test('is documented, with its media types', async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: object[]; responses: Record<string, { content?: object }> }>>
    }
    const types = (address: string, status = '200') =>
      Object.keys(paths[address]?.get?.responses[status]?.content ?? {})
    assert.deepEqual(types(path), ['application/json', 'text/calendar', 'text/csv'])
    assert.deepEqual(types(`${path}/{EventId}`), ['application/json', 'text/calendar', 'text/csv'])
    assert.deepEqual(types('/calendar/{File}'), ['text/calendar'])
    assert.deepEqual(paths['/calendar/{File}']?.get?.security, [])
    assert.deepEqual(Object.keys(paths['/x/v1/calendars'] ?? {}).sort(), ['get', 'post'])
  })
})
