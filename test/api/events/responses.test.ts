import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { Event } from '../../../src/events/api/schema.ts'
import type { EventRecord } from '../../../src/events/import/schema.ts'
import {
  accountKeys,
  clientKeys,
  event,
  eventService,
  importRecords,
  path,
  position,
} from '../../support/events/event-service.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const at = (Date: string) => ({ Date })
const price = (Value: number) => ({ Currency: 'CHF', Type: 'Actual' as const, Value })

/** An offer with days, times, statuses and codes wherever possible. */
const offer: EventRecord = event('offer/1 u', 2, {
  CorporateActionType: 'Voluntary',
  EventType: { Code: 'TEND' },
  EventState: 'Preliminary',
  InformationToComply: 'RestrictionsMayApply',
  AnnouncedDate: '2026-11-02',
  Effective: { Status: 'Unknown' },
  Ex: at('2026-12-01'),
  Record: at('2026-12-02'),
  TradingSuspended: { Status: 'Ongoing' },
  ClaimPeriod: { Start: at('2026-11-03'), End: { Status: 'Ongoing' } },
  MaxPrice: price(60.5),
  MinPrice: { ...price(5), Type: 'Percentage' },
  MaxQuantitySought: 1e6,
  Narrative: 'They write "Date":"2026-01-01" here.\nAnd more.',
  EventIndicators: [{ Indicator: 'Offer', Values: [{ Code: 'PART' }, { Code: 'ZZZZ' }] }],
  Options: [
    {
      OptionId: '001',
      OptionType: { Code: 'CASH' },
      Deadline: at('2026-11-30T18:00:00+02:00'),
      MarketDeadline: at('2026-11-30T17:00:00.5Z'),
      IssuerDeadline: { Status: 'Ongoing' },
      Payment: at('2026-12-10'),
      ElectionPeriod: { Start: at('2026-11-03'), End: at('2026-11-30') },
      IsDefault: false,
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'CHF', OfferPrice: 55.25, PriceType: 'Actual' }],
      PayoutBreakdown: [{ Amount: 5.5, Currency: 'CHF', Component: { Code: 'OWN', Name: 'Our own' } }],
    },
    {
      OptionId: '002',
      OptionType: { Code: 'NOAC', Name: 'Keep them' },
      IssuerDeadline: at('2026-12-01'),
      Payment: { Status: 'Unknown' },
      IsDefault: true,
      SecurityMovements: [
        {
          SecurityMovementType: 'Debit',
          Uic: 2,
          DisplayAndFormat: { Symbol: 'NESN' },
          AvailableForTrade: at('2026-12-11'),
          PariPassu: at('2026-12-12'),
          ReinvestmentPrice: 91.5,
        },
      ],
      OptionIndicators: [],
    },
  ],
  UpdatedDateTime: '2026-11-15T10:00:00+01:00',
  Holdings: [
    {
      AccountKey: accountKeys.treasury,
      Options: [
        {
          OptionId: '001',
          ElectedAmount: 10.5,
          ElectedBy: 'ada',
          ElectionType: 'Manual',
          Instruction: { Status: 'Rejected', Reason: 'Too late.' },
          Remarks: 'by phone',
        },
      ],
      CashReserved: { Currency: 'CHF', Value: 12.5 },
    },
  ],
})
const named = event('named', 1, { DisplayAndFormat: { Description: 'Novo rights' } })

const { service, list, find, ask } = await eventService({
  positions: [position(accountKeys.treasury, 2, 30), position(accountKeys.bo, 1, 1), position(accountKeys.ada, 1, 1)],
  events: [offer, named],
})
const vendor = await serviceForFile({ besides: service, env: { COMPAT: 'vendor' } })
const day = (text: string) => at(`${text}T00:00:00Z`)

const expected = {
  EventId: 'offer/1 u',
  Uic: 2,
  AssetType: 'Stock',
  CorporateActionType: 'Voluntary',
  EventType: { Code: 'TEND', Name: 'Tender Offer', Description: '…' },
  EventState: 'Preliminary',
  EventStatus: 'Active',
  Electable: 'Electable',
  ElectionStatus: 'PartialElected',
  InformationToComply: 'RestrictionsMayApply',
  DisplayAndFormat: { Description: 'Nestlé', IsinCode: 'CH0038863350', Symbol: 'NESN:xvtx' },
  AnnouncedDate: '2026-11-02',
  Effective: { Status: 'Unknown' },
  Ex: day('2026-12-01'),
  Record: day('2026-12-02'),
  TradingSuspended: { Status: 'Ongoing' },
  ClaimPeriod: { Start: day('2026-11-03'), End: { Status: 'Ongoing' } },
  MaxPrice: price(60.5),
  MinPrice: { ...price(5), Type: 'Percentage' },
  MaxQuantitySought: 1_000_000,
  Narrative: 'They write "Date":"2026-01-01" here.\nAnd more.',
  EventIndicators: [
    { Indicator: 'Offer', Values: [{ Code: 'PART', Name: 'Partial Offer', Description: '…' }, { Code: 'ZZZZ' }] },
  ],
  Options: [
    {
      OptionId: '001',
      OptionType: { Code: 'CASH', Name: 'Cash', Description: '…' },
      Deadline: at('2026-11-30T16:00:00.000000Z'),
      MarketDeadline: at('2026-11-30T17:00:00.500000Z'),
      IssuerDeadline: { Status: 'Ongoing' },
      Payment: day('2026-12-10'),
      ElectionPeriod: { Start: day('2026-11-03'), End: day('2026-11-30') },
      IsDefault: false,
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'CHF', OfferPrice: 55.25, PriceType: 'Actual' }],
      PayoutBreakdown: [{ Amount: 5.5, Currency: 'CHF', Component: { Code: 'OWN', Name: 'Our own' } }],
    },
    {
      OptionId: '002',
      OptionType: { Code: 'NOAC', Name: 'Keep them', Description: '…' },
      IssuerDeadline: at('2026-12-01T00:00:00Z'),
      Payment: { Status: 'Unknown' },
      IsDefault: true,
      SecurityMovements: [
        {
          SecurityMovementType: 'Debit',
          Uic: 2,
          DisplayAndFormat: { Symbol: 'NESN' },
          AvailableForTrade: day('2026-12-11'),
          PariPassu: day('2026-12-12'),
          ReinvestmentPrice: 91.5,
        },
      ],
    },
  ],
  Holdings: [
    {
      AccountDisplayName: '9226400',
      AccountId: '9226400',
      AccountKey: accountKeys.treasury,
      Amount: 30,
      CashReserved: { Currency: 'CHF', Type: 'Actual', Value: 12.5 },
      ClientId: '10001',
      ClientKey: clientKeys.ada,
      ClientName: 'Ada Holding',
      ElectedAmount: 10.5,
      ElectionStatus: 'PartialElected',
      EventId: 'offer/1 u',
      Options: [
        {
          OptionId: '001',
          ElectedAmount: 10.5,
          ElectedBy: 'ada',
          ElectionType: 'Manual',
          Instruction: { Status: 'Rejected', Reason: 'Too late.' },
          Remarks: 'by phone',
        },
      ],
      OwnerId: '10001',
    },
  ],
  UpdatedDateTime: '2026-11-15T09:00:00.000000Z',
}

/** Replaces the descriptions of the code lists. */
const withoutDescriptions = (event: object) =>
  JSON.parse(
    JSON.stringify(event, (name, value) => (name === 'Description' && String(value).endsWith('.') ? '…' : value)),
  )

test('returns all fields: days, times in UTC, codes with their names (operation 8)', async () => {
  const found = await find('offer/1 u')
  assert.deepEqual(withoutDescriptions(found), expected)
  assert.ok(Compile(Event).Check(found))
})

test('a list returns the same event; names in the record take precedence (operation 7)', async () => {
  const { Data } = await list()
  assert.deepEqual(
    Data.find(({ EventId }) => EventId === expected.EventId),
    await find(expected.EventId),
  )
  const names = { Description: 'Novo rights', IsinCode: 'DK0062498333', Symbol: 'NOVOb:xcse' }
  assert.deepEqual((await find('named')).DisplayAndFormat, names)
})

test('the vendor profile differs only in the format of days (operations 7, 8)', async () => {
  const { access_token } = await obtainTokens(service.url, { user: 'ada' })
  const response = await getRest(vendor.baseUrl, `${path}/${encodeURIComponent('offer/1 u')}`, access_token)
  const body = (await response.json()) as object
  const asVendor = JSON.parse(JSON.stringify(expected).replaceAll(/(?<!Deadline":\{"Date":".{10})T00:00:00Z"/g, '"'))
  assert.deepEqual(withoutDescriptions(body), asVendor)
  const { Data } = (await (await getRest(vendor.baseUrl, path, access_token)).json()) as { Data: object[] }
  assert.ok(Data.some((one) => JSON.stringify(one) === JSON.stringify(body)))
})

test('the ETag changes with the content; a known one gets 304 (operations 7, 8, 9)', async () => {
  const { access_token } = await obtainTokens(service.url, { user: 'ada' })
  const known = (address: string, tag: string) =>
    fetch(`${service.baseUrl}${path}${address}`, {
      headers: { authorization: `Bearer ${access_token}`, 'if-none-match': tag },
    })
  const tags = new Map<string, string>()
  for (const address of ['', '/named', '/lookupdata', '?$top=1']) {
    const response = await ask(address)
    const tag = response.headers.get('etag') ?? ''
    assert.match(tag, /^W\/"/)
    assert.equal(response.headers.get('cache-control'), 'private, no-cache')
    assert.match(response.headers.get('vary') ?? '', /authorization/i)
    const again = await known(address, tag)
    assert.deepEqual([address, again.status, await again.text()], [address, 304, ''])
    tags.set(address, tag)
  }
  assert.equal(new Set(tags.values()).size, 4)
  await importRecords(service, [
    { kind: 'event', ...named, EventType: { Code: 'SPLF' } },
    { kind: 'position', ...position(accountKeys.ada, 1, 2) },
  ])
  for (const address of ['', '/named', '/lookupdata'])
    assert.deepEqual([address, (await known(address, tags.get(address) ?? '')).status], [address, 200])
})

test('an impossible id is not found (operation 8)', async () => {
  for (const id of ['%27%20or%201=1', 'x'.repeat(300), '%F0%9F%A6%8A']) assert.equal((await ask(`/${id}`)).status, 404)
})
