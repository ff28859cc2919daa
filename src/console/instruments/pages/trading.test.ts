import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails, TradingSchedule } from '../../../instruments/api/schema.ts'
import { instrumentHead, instrumentTabs } from './instrument.ts'
import { linkTo, typeTabs } from './related.ts'
import { accountsSection } from './trading.ts'

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

test('the head says whether the exchange is open; the tabs are the pages that the instrument has', () => {
  const TradingSessions = {
    ...{ TimeZone: 3, TimeZoneAbbreviation: 'EST', TimeZoneOffset: '-05:00:00' },
    Sessions: [
      { StartTime: '2026-11-16T22:00:00Z', EndTime: '2026-11-18T22:00:00Z', State: 'AutomatedTrading' },
      { StartTime: '2026-11-18T22:00:00Z', EndTime: '2026-11-22T22:00:00Z', State: 'Closed' },
    ],
  } satisfies TradingSchedule
  const viewOf = (more: Partial<InstrumentDetails> = {}, continuousUic?: number) => ({
    details: { ...details, TradingSessions, ...more },
    now: Temporal.Instant.from('2026-11-17T12:00:00Z'),
    zones: { reader: 'UTC', exchange: 'America/New_York' },
    continuousUic,
  })
  assert.equal(
    textOf(instrumentHead(viewOf()).aside),
    'Uic 7 FX spot Interbank Open · closes Wed 17:00 New York Tradable on 1 account',
  )
  const own = '/console/instruments/7/FxSpot'
  const hrefs = (view: ReturnType<typeof viewOf>) =>
    [
      ...instrumentTabs(view, 'Overview')
        .toString()
        .matchAll(/href="([^"]+)"( aria-current="page")?/g),
    ].map(([, href]) => href)
  assert.deepEqual(hrefs(viewOf()), [
    own,
    '/console/schedule/7/FxSpot',
    `${own}/related`,
    `${own}/history`,
    `${own}/json`,
  ])
  const option = { AssetType: 'StockOption', OptionRootId: 9, ExpiryDate: '2026-12-18' } as const
  assert.equal(hrefs(viewOf(option))[1], '/console/options/9?expiry=2026-12-18')
  assert.equal(hrefs(viewOf({}, 5000))[1], '/console/futures/5000')
  const stock = {
    AssetType: 'Stock',
    Symbol: 'A:xnas',
    RelatedOptionRootsEnhanced: [{ OptionRootId: 3, AssetType: 'StockOption', OptionType: 'Default' }],
  } as const
  assert.deepEqual(hrefs(viewOf(stock as unknown as Partial<InstrumentDetails>)).slice(1, 4), [
    '/console/options/3',
    '/console/schedule/7/Stock',
    '/console/events?Keywords=A%3Axnas',
  ])
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
