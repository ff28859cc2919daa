import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eventFacts } from '../../../test/support/events/event-facts.ts'
import { sha256 } from '../../core/crypto/keys.ts'
import { wireProfiles } from '../../core/wire-profile.ts'
import { eventDocument } from '../catalogue/documents.ts'
import type { AccountHolding } from '../rules/holdings.ts'
import { EventWriter, eventBytes, feedJson } from './view.ts'

const client = {
  has_client: true,
  has_account: true,
  has_group: true,
  client_id: '1"',
  client_name: 'Ünal "A"',
  owner_id: '2',
}
const account = { key: 'k\\', id: 'a"1', elections: new Map(), standing: new Map() }
const event = eventFacts({
  eventType: 'DVOP',
  isElectable: true,
  description: 'Nestlé',
  updatedAt: 1_790_000_000_000_001,
})
const document = eventDocument('{"EventId":"E1","Ex":{"Date":"2026-12-01"}}', event, wireProfiles.off)

const holding = (more: Partial<AccountHolding> = {}): AccountHolding => ({
  ...{ account, amount: -0.5, elected: 0, elections: null },
  ...more,
})
function write(holdings: AccountHolding[] | undefined, maxAccounts?: number, affected = holdings?.length ?? 3) {
  const options = { client, clientKey: 'c', today: '2026-11-15', ...(maxAccounts !== undefined && { maxAccounts }) }
  const applied = { affected, eligible: 1.5, size: 2, elected: 1, ...(holdings && { holdings }) }
  return eventBytes(new EventWriter(options).write({ event, applied }, document)).toString()
}

test('writes what all callers share, then what depends on the day and the caller, in the order of the schema', () => {
  assert.equal(
    write([holding()]),
    '{"EventId":"E1","Ex":{"Date":"2026-12-01T00:00:00Z"},"DisplayAndFormat":{"Description":"Nestlé"},' +
      '"EventStatus":"Active","ElectionStatus":"PartialElected","UpdatedDateTime":"2026-09-21T14:13:20.000001Z",' +
      '"Holdings":[{"AccountDisplayName":"a\\"1","AccountId":"a\\"1","AccountKey":"k\\\\","Amount":-0.5,"ClientId":"1\\"",' +
      '"ClientKey":"c","ClientName":"Ünal \\"A\\"","ElectedAmount":0,"ElectionStatus":"NotElected","EventId":"E1",' +
      '"OwnerId":"2","StandingInstructionStatus":"NotCreated"}]}',
  )
})

test('elections follow the holding; reserved cash is an amount unless the record says otherwise', () => {
  const elections = {
    CashReserved: { Currency: 'EUR', Value: 5 },
    StandingInstructionStatus: 'Created' as const,
    Options: [{ OptionId: '1', ElectedAmount: 5 }],
  }
  const { Holdings } = JSON.parse(write([holding({ elections }), holding({ elections: {} })]))
  assert.deepEqual(Holdings[0].CashReserved, { Currency: 'EUR', Value: 5, Type: 'Actual' })
  assert.deepEqual(Holdings[0].Options, elections.Options)
  assert.deepEqual(
    Holdings.map((one: { StandingInstructionStatus: string }) => one.StandingInstructionStatus),
    ['Created', 'NotCreated'],
  )
})

test('has totals where not every account is listed', () => {
  const cut = JSON.parse(write([holding(), holding()], 1))
  assert.deepEqual([cut.AffectedAccounts, cut.EligibleHoldings, cut.Holdings.length], [2, 1.5, 1])
  const totals = JSON.parse(write(undefined))
  assert.deepEqual([totals.AffectedAccounts, totals.EligibleHoldings, totals.Holdings], [3, 1.5, undefined])
  assert.equal(JSON.parse(write([holding()])).AffectedAccounts, undefined)
})

const json = (head: string, own = '}') => {
  return { shared: { head: Buffer.from(head), digest: sha256(head).toString('base64url'), updatedDateTime: '' }, own }
}

test('a feed joins events', () => {
  const feed = feedJson([json('{"a":1'), json('{"a":2')], { count: 5, next: 'https://x/?a="', maxRows: 9 })
  const body = { __count: 5, __next: 'https://x/?a="', MaxRows: 9, Data: [{ a: 1 }, { a: 2 }] }
  assert.deepEqual(JSON.parse(feed.bytes().toString()), body)
  const empty = feedJson([], { count: 0, next: undefined, maxRows: 9 })
  assert.equal(empty.bytes().toString(), '{"__count":0,"MaxRows":9,"Data":[]}')
})

test('joins the parts of a feed byte for byte, with any characters', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'é', '日本', '😀'))
  const parts = fc.record({ events: fc.array(fc.tuple(text, text)), next: fc.option(text, { nil: undefined }) })
  fc.assert(
    fc.property(parts, ({ events, next }) => {
      const start = `{"__count":2,${next === undefined ? '' : `"__next":${JSON.stringify(next)},`}"MaxRows":9,"Data":[`
      const joined = Buffer.concat(
        events.flatMap(([head, own], at) => [
          Buffer.from(at === 0 ? '' : ','),
          Buffer.from(head),
          Buffer.from(`${own}}`),
        ]),
      )
      const feed = feedJson(
        events.map(([head, own]) => json(head, `${own}}`)),
        { count: 2, next, maxRows: 9 },
      )
      assert.ok(feed.bytes().equals(Buffer.concat([Buffer.from(start), joined, Buffer.from(']}')])))
    }),
  )
})

test('the tag of a feed changes with every part of it', () => {
  const options = { count: 2, next: undefined, maxRows: 9 }
  const same = [json('{"a":1'), json('{"a":2')]
  const others = [
    feedJson([json('{"a":1'), json('{"a":3')], options),
    feedJson([json('{"a":1'), json('{"a":2', ',"b":1}')], options),
    feedJson(same.toReversed(), options),
    feedJson(same.slice(1), options),
    feedJson(same, { ...options, count: 3 }),
    feedJson(same, { ...options, next: 'x' }),
  ]
  const tags = [feedJson(same, options), ...others].map(({ etag }) => etag)
  assert.equal(new Set(tags).size, tags.length)
  assert.equal(feedJson(same, options).etag, tags[0])
})
