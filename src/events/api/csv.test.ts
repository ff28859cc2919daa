import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { aHolding, anEvent, anOption } from '../../../test/support/events/event.ts'
import { renderCsv } from './csv.ts'
import type { Event } from './schema.ts'

const now = Temporal.Instant.from('2026-11-28T16:00:01Z')
const rows = (...events: Event[]) => parse(renderCsv(events, now), { columns: true }) as Record<string, string>[]

test('a row has the sortable and filterable values, with dates as days', () => {
  const [row] = rows(
    anEvent({
      AnnouncedDate: '2026-10-01',
      Ex: { Date: '2026-12-01T00:00:00Z' },
      Record: { Date: '2026-12-02' },
      Effective: { Status: 'Unknown' },
      Options: [
        anOption('1', 'Later', {
          Deadline: { Date: '2026-11-29T16:00:00.000000Z' },
          GrossRate: 0.91,
          NetRate: 0.77,
          CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD' }],
        }),
        anOption('2', 'Sooner', {
          IsDefault: true,
          Deadline: { Date: '2026-11-28T16:00:00.000000Z' },
          Payment: { Date: '2026-12-05T00:00:00Z' },
        }),
      ],
      Holdings: [aHolding('A', { Amount: 0.1 }), aHolding('B', { Amount: 0.2, ElectedAmount: 0.2 })],
    }),
  )
  assert.deepEqual(row, {
    EventId: 'E1',
    Symbol: 'AAPL:xnas',
    IsinCode: 'US0378331005',
    Description: 'Apple Inc.',
    AssetType: 'Stock',
    Uic: '211',
    EventType: 'TEND',
    EventTypeName: 'Tender Offer',
    CorporateActionType: 'Voluntary',
    EventState: 'Confirmed',
    EventStatus: 'Active',
    Electable: 'Electable',
    ElectionStatus: 'NotElected',
    AnnouncedDate: '2026-10-01',
    ExDate: '2026-12-01',
    RecordDate: '2026-12-02',
    EffectiveDate: '',
    NextDeadline: '2026-11-29T16:00:00Z',
    FirstPayment: '2026-12-05',
    DefaultOption: '2 Sooner',
    GrossRate: '0.91',
    NetRate: '0.77',
    Currency: 'USD',
    AffectedAccounts: '2',
    EligibleHoldings: '0.3',
    ElectedAmount: '0.2',
    UpdatedDateTime: '2026-11-02T09:30:15Z',
  })
})

test('the next deadline is a day if it has no time, and the earlier end counts', () => {
  const next = (...dates: string[]) =>
    rows(anEvent({ Options: dates.map((Date) => anOption('1', 'Cash', { Deadline: { Date } })) }))[0]?.NextDeadline
  assert.equal(next('2026-11-28T00:00:00Z'), '2026-11-28')
  assert.equal(next('2026-11-27T00:00:00Z', '2026-11-29T00:00:00.000000Z'), '2026-11-29T00:00:00Z')
  assert.equal(next('2026-11-28T00:00:00Z', '2026-11-28T18:00:00.000000Z'), '2026-11-28T18:00:00Z')
})

test('takes the rate of the default option if it has one, and ignores unavailable options', () => {
  const rated = (id: string, GrossRate: number, more: object) => anOption(id, 'Cash', { GrossRate, ...more })
  const gone = {
    OptionStatus: 'Cancelled',
    Deadline: { Date: '2026-12-01T16:00:00Z' },
    Payment: { Date: '2026-12-02' },
  }
  const percent = { CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Percentage' }] }
  const [row] = rows(
    anEvent({
      Ex: { Date: '9999-12-31T00:00:00Z' },
      Options: [rated('1', 1, gone), rated('2', 2, {}), rated('3', 3, { IsDefault: true, ...percent })],
    }),
  )
  const { ExDate, NextDeadline, FirstPayment, GrossRate, NetRate, Currency } = row ?? {}
  assert.deepEqual([ExDate, NextDeadline, FirstPayment, GrossRate, NetRate, Currency], ['', '', '', '3', '', '%'])
})

test('shows the elected amount if all holdings are included and the event is electable', () => {
  const Holdings = [aHolding('A', { ElectedAmount: 30 })]
  const elected = (more: Partial<Event>) => rows(anEvent({ Holdings, ...more }))[0]?.ElectedAmount
  assert.equal(elected({}), '30')
  assert.equal(elected({ AffectedAccounts: 250, EligibleHoldings: 900 }), '')
  assert.equal(elected({ Electable: 'NotElectable' }), '')
})

test('with sub-accounts, uses the totals of the event', () => {
  const { Holdings: _, Options: __, ...event } = anEvent({ AffectedAccounts: 7, EligibleHoldings: -12.5 })
  const [row] = rows(event)
  assert.deepEqual([row?.AffectedAccounts, row?.EligibleHoldings, row?.ElectedAmount], ['7', '-12.5', ''])
})

test('lines and quotes follow RFC 4180; the header is present without rows', () => {
  const csv = renderCsv([anEvent({ DisplayAndFormat: { Description: 'A "b", c\nd' } })], now)
  assert.ok(csv.includes(',"A ""b"", c\nd",'))
  assert.ok(csv.endsWith('\r\n') && csv.split('\r\n').length === 3)
  assert.match(renderCsv([], now), /^EventId,Symbol,[A-Za-z,]+,UpdatedDateTime\r\n$/)
})

test('escapes formulas', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    const text = `${start}HYPERLINK("https://evil.example")`
    const [row] = rows(anEvent({ DisplayAndFormat: { Description: text } }))
    assert.equal(row?.Description, `'${text}`)
  }
})
