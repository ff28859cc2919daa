import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails, TradingSchedule } from '../../../instruments/api/schema.ts'
import { linkTo, typeTabs } from './related.ts'
import { accountsSection, sessionCard } from './trading.ts'

const details = {
  Uic: 7,
  AssetType: 'FxSpot',
  Exchange: { CountryCode: 'US', ExchangeId: 'SBFX', Name: 'Interbank' },
  IsTradable: true,
  NonTradableReason: 'None',
  TradableOn: ['1'],
} satisfies InstrumentDetails

const textOf = (markup: unknown): string =>
  String(markup)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

type Session = TradingSchedule['Sessions'][number]
const session = (State: Session['State'], start: string, end: string): Session => ({
  StartTime: `2026-11-${start}:00Z`,
  EndTime: `2026-11-${end}:00Z`,
  State,
})
const cardAt = (now: string, ...Sessions: Session[]) => {
  const TradingSessions = { Sessions, TimeZone: 3, TimeZoneAbbreviation: 'EST', TimeZoneOffset: '-05:00:00' }
  const zones = { reader: 'UTC', exchange: 'America/New_York' }
  return textOf(sessionCard({ ...details, TradingSessions }, Temporal.Instant.from(`2026-11-${now}:00Z`), zones))
}
const more = 'Trading hours and holidays'

test('the market status has the time of the exchange and of the reader', () => {
  const currency = [
    session('AutomatedTrading', '16T22:00', '17T22:00'),
    session('AutomatedTrading', '17T22:00', '18T22:00'),
    session('Closed', '18T22:00', '22T22:00'),
    session('AutomatedTrading', '22T22:00', '23T22:00'),
  ]
  assert.equal(
    cardAt('17T12:00', ...currency),
    `Market status Open · closes Wed 17:00 New York time · closes Wed 22:00 UTC, in 1 day ${more}`,
  )
  assert.equal(
    cardAt('22T20:00', ...currency),
    `Market status Closed · opens 17:00 New York time · opens 22:00 UTC, in 2 hours ${more}`,
  )
  assert.equal(
    cardAt('23T12:00', ...currency),
    `Market status Open · does not close within a week New York time ${more}`,
  )
})

test('tags each account with its tradability or its access', () => {
  const account = {
    AccountId: '1',
    AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
    Currency: 'USD',
    MayView: true,
    MayTrade: true,
    IsTradable: true,
    NonTradableReason: 'None',
    Reason: '',
  } as const
  const tagOf = (differs: Partial<Parameters<typeof accountsSection>[0]['Accounts'][number]>) =>
    /<span class="tag [^<]+/.exec(String(accountsSection({ Accounts: [{ ...account, ...differs }] })))?.[0]
  assert.deepEqual(
    [
      tagOf({}),
      tagOf({ IsTradable: false, NonTradableReason: 'ReduceOnlyInstrument' }),
      tagOf({ IsTradable: false, MayTrade: false }),
      tagOf({ IsTradable: false, MayTrade: false, MayView: false }),
    ],
    [
      '<span class="tag good">Tradable',
      '<span class="tag warn">Reduce only',
      '<span class="tag warn">View only',
      '<span class="tag bad">No access',
    ],
  )
})

test('calls an instrument invisible only if it was requested and not returned', () => {
  const related = { instruments: [{ ...details, Uic: 1, Description: 'Euro' }], requested: [1, 2] }
  assert.match(String(linkTo(related, 1)), /<a href="\/console\/instruments\/1\/FxSpot"><bdi>Euro</)
  assert.match(String(linkTo(related, 2, 'Stock')), /not visible to you/)
  assert.equal(String(linkTo(related, 3, 'Stock')), '<a class="num" href="/console/instruments/3/Stock">3</a>')
  assert.equal(textOf(linkTo(related, 3)), '3')
})

test('a currency pair is spot first, before what is traded on it', () => {
  const forwards = { ...details, AssetType: 'FxForwards', UnderlyingUic: 7 } as const
  const knockIn = { ...details, AssetType: 'FxKnockInOption', UnderlyingUic: 7 } as const
  assert.equal(
    textOf(typeTabs(forwards, [forwards, knockIn, details])),
    'As FX spot As FX forwards As FX knock-in option',
  )
  assert.match(String(linkTo({ instruments: [forwards, details], requested: [7] }, 7)), /instruments\/7\/FxSpot/)
})
