import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  databaseForFile,
  exchange,
  exportText,
  importTexts,
  instrument,
  lines,
  optionRoot,
} from '../support/service/import.ts'

const { connection } = await databaseForFile()
const load = (...records: object[]) => importTexts(connection, { 'f.ndjson': lines(...records) })

const calendar = (CalendarId: string, more: object = {}) => ({
  kind: 'calendar',
  CalendarId,
  Name: `Calendar ${CalendarId}`,
  TimeZone: 'Europe/London',
  Hours: [{ Days: ['Mon'], Start: '08:00', End: '16:30' }],
  ...more,
})
const { Hours, ...withoutHours } = exchange

test('exchanges, instruments and option roots refer to calendars, in any order of lines', async () => {
  const records = [
    optionRoot(1, [100], { CalendarId: 'A' }),
    instrument(1, { CalendarId: 'B' }),
    { ...withoutHours, CalendarId: 'A' },
    calendar('A', { Currencies: ['GBP'], Holidays: [{ Date: '2026-12-25', Name: 'Christmas Day' }] }),
    calendar('B'),
  ]

  const { counts, errors } = await load(...records)

  assert.deepEqual(errors, [])
  assert.deepEqual(counts, {
    calendar: { added: 2 },
    exchange: { added: 1 },
    instrument: { added: 1 },
    optionRoot: { added: 1 },
  })
  const exported = await exportText(connection)
  assert.deepEqual(
    exported
      .split('\n')
      .map((line) => line.slice(0, 16))
      .slice(0, 3),
    ['{"kind":"calenda', '{"kind":"calenda', '{"kind":"exchang'],
  )
  const again = await importTexts(connection, { 'f.ndjson': exported })
  assert.deepEqual(again.counts.calendar, { unchanged: 2 })
  assert.equal(await exportText(connection), exported)
})

test('rejects unknown calendars, with the nearest name', async () => {
  const { errors } = await load(
    { ...withoutHours, CalendarId: 'AA' },
    instrument(2, { CalendarId: 'GRAIN' }),
    optionRoot(2, [200], { CalendarId: 'NONE' }),
    calendar('GRAINS'),
  )
  assert.equal(errors.length, 3)
  assert.match(errors.join('\n'), /f\.ndjson:1 .*CalendarId: There is no calendar AA\./)
  assert.match(errors.join('\n'), /f\.ndjson:2 .*CalendarId: There is no calendar GRAIN\. Did you mean GRAINS\?/)
})

test('does not report references to a calendar that was itself rejected', async () => {
  const { errors } = await load(instrument(2, { CalendarId: 'C' }), calendar('C', { TimeZone: 'Mars' }))
  assert.equal(errors.length, 1)
  assert.match(errors[0] ?? '', /TimeZone: Must be the IANA name/)
})

test('an exchange has a calendar or its own times, never both and never neither', async () => {
  const both = await load({ ...exchange, CalendarId: 'A', Holidays: [], LateOpens: [] })
  assert.deepEqual(both.errors.length, 3)
  assert.match(both.errors[0] ?? '', /Hours: Must be on the calendar that CalendarId names, not here\./)
  const neither = await load(withoutHours)
  assert.match(neither.errors.join(), /Hours: Is required, unless CalendarId names a calendar with the hours\./)
})

test('a currency settles by one calendar', async () => {
  const { errors } = await load(calendar('C', { Currencies: ['EUR', 'GBP'] }), calendar('D', { Currencies: ['EUR'] }))
  assert.equal(errors.length, 2)
  assert.match(errors[0] ?? '', /f\.ndjson:1 .*Currencies: GBP is already in calendar A\./)
  assert.match(errors[1] ?? '', /f\.ndjson:2 .*Currencies: EUR is already in calendar C\./)
  assert.match(
    (await load(calendar('C', { Currencies: ['EUR', 'EUR'] }))).errors.join(),
    /Must name each currency once/,
  )
  const moved = await load(calendar('A'), calendar('C', { Currencies: ['GBP'] }))
  assert.deepEqual(moved.counts, { calendar: { added: 1, changed: 1 } })
})

test('a calendar in use cannot be deleted', async () => {
  const gone = { kind: 'calendar', CalendarId: 'B', delete: true }
  const { errors } = await load(gone)
  assert.match(
    errors.join(),
    /Is still the calendar of 1 exchanges, instruments or option roots, such as instrument 1\./,
  )
  const { counts, notes } = await load(gone, instrument(1))
  assert.deepEqual(counts, { calendar: { removed: 1 }, instrument: { changed: 1 } })
  assert.ok(!notes.join().includes('not found'), notes.join())
})

test('value dates are either computed or given', async () => {
  const pair = (more: object) =>
    instrument(9, { Symbol: 'EURUSD', SpotDays: 2, As: [{ AssetType: 'FxForwards', ...more }] })
  const { errors } = await load(pair({ FxForwardMinForwardDate: '2026-11-18' }))
  assert.match(errors.join(), /As\[0\]\.FxForwardMinForwardDate: Is computed from SpotDays\. Remove one of them\./)
  assert.match((await load(pair({ Symbol: 'GOLD' }))).errors.join(), /SpotDays: Requires a symbol of two currencies/)
  assert.deepEqual((await load(pair({}))).counts, { instrument: { added: 1 } })
})

test('relative days count the trading days of the exchange by its calendar', async () => {
  const holidays = { Holidays: [{ Date: '2026-11-17', Name: 'Closed' }] }
  const due = (id: string, Uic: number) => instrument(Uic, { ExpiryDate: `@${id}+1b`, ContinuousFuturesUic: undefined })
  const options = { today: '2026-11-16' }
  const run = (...records: object[]) => importTexts(connection, { 'f.ndjson': lines(...records) }, options)
  await run(calendar('E', holidays), { ...withoutHours, ExchangeId: 'E1', CalendarId: 'E' }, due('E1', 11))

  await run(due('E1', 12), due('E', 13))

  const dates = (await exportText(connection, ['instrument'])).match(/"ExpiryDate":"[\d-]+"/g)
  assert.deepEqual(dates, Array(3).fill('"ExpiryDate":"2026-11-18"'))
})
