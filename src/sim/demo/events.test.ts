import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import type { AccountRecord, ClientRecord } from '../../access/api/schema.ts'
import type { Shape } from '../../core/validation/shape.ts'
import { EventState, EventStatus } from '../../events/api/enums.ts'
import { checkEvent } from '../../events/import/checks.ts'
import { EventRecord, PositionRecord } from '../../events/import/schema.ts'
import { eventDates } from '../../events/rules/dates.ts'
import { baseSelection, eventStatus } from '../../events/rules/listing.ts'
import { readDemoFile } from './files.ts'
import { readDemo } from './read.ts'

/** A Monday, a weekend, a leap day, the ends of a year, and the days before Easter, when many markets are closed. */
const days = '2026-11-16 2026-11-14 2026-11-15 2028-02-29 2026-12-31 2027-01-01 2027-03-25'.split(' ')

type AccessRecord = ({ kind: 'client' } & ClientRecord) | ({ kind: 'account' } & AccountRecord)
const access = await readDemoFile<AccessRecord>('clients.ndjson')
const demoClients = access.filter((record) => record.kind === 'client')
const demoAccounts = access.filter((record) => record.kind === 'account')

const demos = await Promise.all(
  days.map(async (day) => {
    const today = Temporal.PlainDate.from(day)
    return { day, today, ...(await readDemo(today)) }
  }),
)
type Demo = (typeof demos)[number]

const { events, positions } = demoOf('2026-11-16')

function demoOf(day: string): Demo {
  const demo = demos.find((one) => one.day === day)
  assert.ok(demo)
  return demo
}

const statusOf = (event: EventRecord, day: string): EventStatus =>
  eventStatus({ status: event.EventStatus ?? null, ...eventDates(event) }, day)

const keyOf = ({ AccountKey, Uic, AssetType }: Omit<PositionRecord, 'Amount'>): string =>
  `${AccountKey} ${Uic} ${AssetType}`

/** What an account holds at the end of a day. */
function amountOn(demo: Demo, day: string, AccountKey: string, { Uic, AssetType }: EventRecord): number {
  const key = keyOf({ AccountKey, Uic, AssetType })
  const records = demo.positions.filter((record) => keyOf(record) === key && (record.From ?? '') <= day)
  return records.toSorted((a, b) => ((a.From ?? '') < (b.From ?? '') ? -1 : 1)).at(-1)?.Amount ?? 0
}

function eligible(demo: Demo, account: string, event: EventRecord): number {
  const { recordOn } = eventDates(event)
  return amountOn(demo, recordOn !== null && recordOn < demo.day ? recordOn : demo.day, account, event)
}

const appliesTo = (demo: Demo, account: string, event: EventRecord): boolean =>
  amountOn(demo, demo.day, account, event) !== 0 || eligible(demo, account, event) !== 0

/** The events that a client's list has by default (§7.2), without its sub-clients. */
function listedFor(demo: Demo, ClientKey: string): EventRecord[] {
  const accounts = demoAccounts.filter((account) => account.ClientKey === ClientKey)
  const { from, to, states, lapsedStates } = baseSelection(demo.today, false)
  return demo.events.filter((event) => {
    const { keyDate } = eventDates(event)
    const isLapsed = statusOf(event, demo.day) === 'Past' && lapsedStates.includes(event.EventState)
    const isNear = keyDate !== null && keyDate >= from && keyDate <= to
    const isOurs = accounts.some(({ AccountKey }) => appliesTo(demo, AccountKey, event))
    return isOurs && isNear && !isLapsed && states.includes(event.EventState)
  })
}

test('every record is valid', () => {
  const [event, position] = [Compile(EventRecord), Compile(PositionRecord)]
  for (const demo of demos) {
    const errors: string[] = []
    for (const record of demo.events) {
      errors.push(
        ...event.Errors(record).map(({ instancePath, message }) => `${record.EventId}${instancePath} ${message}`),
      )
      checkEvent(record, (field, reason) => errors.push(`${record.EventId} ${field} ${reason}`))
    }
    for (const record of demo.positions) errors.push(...position.Errors(record).map(({ message }) => message))
    assert.deepEqual(errors, [], demo.day)
  }
})

test('has over a hundred events of forty types, in every state and status', () => {
  assert.ok(events.length >= 100, String(events.length))
  assert.ok(new Set(events.map(({ EventType }) => EventType.Code)).size >= 40)
  for (const { day, events: all } of demos) {
    const found = (of: (event: EventRecord) => string) => [...new Set(all.map(of))].toSorted()
    assert.deepEqual(
      found(({ CorporateActionType }) => CorporateActionType),
      ['Mandatory', 'Voluntary'],
    )
    assert.deepEqual(
      found(({ EventState: state }) => state),
      (EventState as Shape).enum,
      day,
    )
    assert.deepEqual(
      found((event) => statusOf(event, day)),
      (EventStatus as Shape).enum,
      day,
    )
  }
})

test('event ids are unique references and do not depend on the day', () => {
  const ids = events.map(({ EventId }) => EventId)
  assert.equal(new Set(ids).size, ids.length)
  for (const { EventId, Uic, AssetType } of events)
    assert.match(EventId, new RegExp(`^CA\\d{7}-${Uic}(-${AssetType})?$`))
  for (const demo of demos)
    assert.deepEqual(
      demo.events.map(({ EventId }) => EventId),
      ids,
    )
})

test('some instruments have events in two asset types', () => {
  const types = Map.groupBy(events, ({ EventType, Uic }) => `${EventType.Code} ${Uic}`)
  const both = [...types.values()].filter((same) => new Set(same.map(({ AssetType }) => AssetType)).size === 2)
  assert.deepEqual(both.map(([event]) => event?.EventType.Code).toSorted(), ['DVCA', 'INFO', 'SPLF'])
})

test('voluntary events have two options or more, one default, and deadlines in order', () => {
  for (const { events: all, day } of demos)
    for (const { EventId, CorporateActionType, Options = [] } of all) {
      if (CorporateActionType === 'Mandatory') continue
      assert.ok(Options.length >= 2, EventId)
      assert.equal(Options.filter(({ IsDefault }) => IsDefault).length, 1, EventId)
      const dated = Options.filter(({ Deadline }) => Deadline?.Date)
      assert.ok(dated.length > 0, EventId)
      for (const { Deadline, MarketDeadline, IssuerDeadline } of Options) {
        const all = [Deadline, MarketDeadline, IssuerDeadline]
        const dates = all.flatMap((deadline) => deadline?.Date ?? [])
        assert.ok(!all.includes(undefined), EventId)
        assert.deepEqual(dates, dates.toSorted(), `${day} ${EventId}`)
        assert.notEqual(Deadline?.Date ?? '', MarketDeadline?.Date, `${day} ${EventId}`)
      }
    }
})

test('deadlines are within the election period, and securities are available from the payment on', () => {
  for (const { events: all, day } of demos)
    for (const { EventId, Options = [] } of all)
      for (const { ElectionPeriod, Payment, SecurityMovements = [], ...option } of Options) {
        const [start = '', end = '9999'] = [ElectionPeriod?.Start?.Date, ElectionPeriod?.End?.Date]
        for (const deadline of [option.Deadline, option.MarketDeadline, option.IssuerDeadline]) {
          const date = deadline?.Date?.slice(0, 10) ?? start
          assert.ok(start <= date && date <= end, `${day} ${EventId} ${option.OptionId} ${date}`)
        }
        for (const { AvailableForTrade } of SecurityMovements)
          assert.ok((AvailableForTrade?.Date ?? '9999') >= (Payment?.Date ?? ''), `${day} ${EventId}`)
      }
})

/** Every date of a record except that of its last change. */
function daysIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d/.test(value) ? [value.slice(0, 10)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => (name === 'UpdatedDateTime' ? [] : daysIn(member)))
}

test('every date of an event is a trading day of its exchange', () => {
  for (const { events: all, exchanges, instruments, day } of demos) {
    const exchangeOf = new Map(instruments.map(({ Uic, ExchangeId }) => [Uic, ExchangeId]))
    const closed = new Set(
      exchanges.flatMap(({ ExchangeId, Holidays = [] }) => Holidays.map((holiday) => `${ExchangeId} ${holiday.Date}`)),
    )
    for (const event of all)
      for (const date of daysIn(event)) {
        assert.ok(Temporal.PlainDate.from(date).dayOfWeek <= 5, `${day} ${event.EventId} ${date}`)
        assert.ok(!closed.has(`${exchangeOf.get(event.Uic)} ${date}`), `${day} ${event.EventId} ${date}`)
      }
  }
})

test('events are announced before today and not changed before that', () => {
  for (const { events: all, day } of demos)
    for (const { EventId, AnnouncedDate = '', UpdatedDateTime = '' } of all) {
      assert.ok(AnnouncedDate < day && UpdatedDateTime < day, `${day} ${EventId}`)
      assert.ok(AnnouncedDate <= UpdatedDateTime.slice(0, 10), `${day} ${EventId}`)
    }
})

test('every event concerns an instrument that an account holds or held', () => {
  for (const demo of demos)
    for (const event of demo.events)
      assert.ok(
        demoAccounts.some(({ AccountKey }) => appliesTo(demo, AccountKey, event)),
        `${demo.day} ${event.EventId}`,
      )
})

test('accounts elect at most their holding: some all of it, some a part', () => {
  for (const demo of demos) {
    const shares = demo.events.flatMap((event) =>
      (event.Holdings ?? []).map(({ AccountKey, Options = [] }) => {
        const elected = Options.reduce((sum, { ElectedAmount }) => sum + ElectedAmount, 0)
        return elected / eligible(demo, AccountKey, event)
      }),
    )
    assert.ok(
      shares.every((share) => share > 0 && share <= 1),
      `${demo.day} ${shares}`,
    )
    assert.ok(shares.filter((share) => share < 1).length >= 5)
    assert.ok(shares.filter((share) => share === 1).length >= 5)
  }
})

test('lists at least forty events for ada and eight for every other client', () => {
  for (const demo of demos)
    for (const { ClientKey, Name } of demoClients) {
      const count = listedFor(demo, ClientKey).length
      assert.ok(count >= (Name === 'Ada Holding' ? 40 : 8), `${demo.day} ${Name} ${count}`)
    }
})

test('exactly one event is the next that ada has to decide, within nine days', () => {
  const ada = demoClients.find(({ Name }) => Name === 'Ada Holding')?.ClientKey ?? ''
  for (const demo of demos) {
    const due = listedFor(demo, ada).flatMap((event) =>
      eventDates(event)
        .deadlines.filter((date) => date >= demo.day)
        .map((date) => ({ date, code: event.EventType.Code })),
    )
    const [first, second] = due.toSorted((a, b) => (a.date < b.date ? -1 : 1))
    assert.equal(first?.code, 'RHTS', demo.day)
    assert.ok(first.date < (second?.date ?? ''), demo.day)
    assert.ok(first.date <= demo.today.add({ days: 9 }).toString(), `${demo.day} ${first.date}`)
  }
})

test('positions have a history: increased, sold again, and one short', () => {
  const histories = [...Map.groupBy(positions, keyOf).values()]
  assert.ok(histories.some((records) => records.length >= 3))
  assert.ok(positions.some(({ Amount }) => Amount === 0) && positions.some(({ Amount }) => Amount < 0))
  for (const demo of demos) {
    const pairs = demo.events.flatMap((event) => demoAccounts.map(({ AccountKey }) => ({ event, AccountKey })))
    const isBoughtLater = ({ event, AccountKey }: (typeof pairs)[number]) =>
      appliesTo(demo, AccountKey, event) && eligible(demo, AccountKey, event) === 0
    assert.ok(pairs.some(isBoughtLater), demo.day)
  }
})
