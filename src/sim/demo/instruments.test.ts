import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { InstrumentRecord } from '../../instruments/import/schema.ts'
import { readDemoFile } from './files.ts'
import type { Group } from './links.ts'
import { readDemo } from './read.ts'

const today = Temporal.PlainDate.from('2026-11-13')
const isCash = ({ As }: InstrumentRecord) => As[0]?.AssetType !== 'ContractFutures'
const { exchanges, instruments: all } = await readDemo(today)
const instruments = all.filter(isCash)
const groups = await readDemoFile<Group>('templates/groups.ndjson')
const offers = instruments.flatMap(({ As, ...shared }) => As.map((own) => ({ ...shared, ...own })))
const uics = new Set(instruments.map(({ Uic }) => Uic))

function countBy<T>(items: T[], keyOf: (item: T) => string): Map<string, number> {
  return items.reduce((counts, item) => counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1), new Map())
}

/** ISO 6166: letters count as 10 to 35, then the digits obey Luhn's rule. */
function hasRightCheckDigit(isin: string): boolean {
  const digits = [...isin].map((letter) => Number.parseInt(letter, 36)).join('')
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

test('every instrument is a valid record', () => {
  const schema = Compile(InstrumentRecord)
  const records: unknown[] = instruments
  assert.deepEqual(
    records.flatMap((record) => schema.Errors(record)),
    [],
  )
})

test('Uics and symbols are unique', () => {
  assert.equal(uics.size, instruments.length)
  assert.equal(new Set(instruments.map(({ Symbol: symbol }) => symbol)).size, instruments.length)
})

test('Uics are in the range of their asset type', () => {
  const ranges: Record<string, readonly [number, number]> = {
    Stock: [1000, 2999],
    Etf: [3000, 3499],
    Etc: [3000, 3499],
    Etn: [3000, 3499],
    Bond: [3500, 3799],
    MutualFund: [3800, 3999],
    Fund: [3800, 3999],
    FxSpot: [4000, 4199],
    FxCrypto: [4200, 4299],
    StockIndex: [4300, 4499],
    CfdOnIndex: [4300, 4499],
    CompanyWarrant: [4500, 4999],
    Rights: [4500, 4999],
    Warrant: [4500, 4999],
  }
  for (const { Uic, As } of instruments) {
    const [first, last] = ranges[As[0]?.AssetType ?? ''] ?? [0, 0]
    assert.ok(Uic >= first && Uic <= last, `${Uic} ${As[0]?.AssetType}`)
  }
})

test('every ISIN has the right check digit, and nearly every share has an ISIN', () => {
  assert.equal(hasRightCheckDigit('US0378331005'), true)
  assert.equal(hasRightCheckDigit('US0378331006'), false)
  const wrong = instruments.filter(({ Isin }) => Isin !== undefined && !hasRightCheckDigit(Isin))
  assert.deepEqual(wrong, [])
  const shares = instruments.filter(({ As }) => As[0]?.AssetType === 'Stock')
  assert.ok(shares.filter(({ Isin }) => Isin !== undefined).length > 0.95 * shares.length)
})

test('has enough instruments, asset types and shares on every stock exchange', () => {
  assert.ok(instruments.length >= 380)
  assert.ok(countBy(offers, ({ AssetType }) => AssetType).size >= 12)
  const shares = countBy(
    offers.filter(({ AssetType }) => AssetType === 'Stock'),
    ({ ExchangeId }) => ExchangeId ?? '',
  )
  assert.equal(shares.size, 18)
  for (const [exchange, count] of shares) assert.ok(count >= 10, exchange)
})

test('every instrument has a symbol, a name, a currency and an exchange of the demo', () => {
  const byId = new Map(exchanges.map((exchange) => [exchange.ExchangeId, exchange]))
  for (const { Symbol: symbol = '', Description, CurrencyCode, ExchangeId } of offers) {
    assert.ok(symbol && Description && CurrencyCode && ExchangeId, symbol)
    const exchange = byId.get(ExchangeId)
    assert.ok(exchange, `${symbol} on ${ExchangeId}`)
    const mic = symbol.split(':')[1]
    if (mic !== undefined) assert.equal(mic, exchange.Mic?.toLowerCase(), symbol)
  }
})

test('a group has at least two members with the same primary listing, which is one of them', () => {
  const members = Map.groupBy(
    instruments.filter(({ GroupId }) => GroupId !== undefined),
    ({ GroupId }) => GroupId,
  )
  assert.equal(members.size, groups.length)
  for (const [groupId, group] of members) {
    assert.ok(group.length >= 2, `group ${groupId}`)
    assert.equal(new Set(group.map(({ PrimaryListing }) => PrimaryListing)).size, 1)
    assert.ok(group.some(({ Uic, PrimaryListing }) => Uic === PrimaryListing))
  }
  assert.equal([...members.values()].flat().length, groups.flatMap(({ Symbols }) => Symbols).length)
})

test('related and underlying instruments exist in that asset type', () => {
  const known = new Set(offers.map(({ Uic, AssetType }) => `${Uic} ${AssetType}`))
  for (const { Symbol: symbol = '', UnderlyingUic, UnderlyingAssetType, RelatedInstruments = [] } of offers) {
    if (UnderlyingUic !== undefined) assert.ok(known.has(`${UnderlyingUic} ${UnderlyingAssetType}`), symbol)
    for (const { Uic, AssetType } of RelatedInstruments) assert.ok(known.has(`${Uic} ${AssetType}`), symbol)
  }
})

test('details are only on asset types that have them', () => {
  const listed = /^(CfdOn(Company|Et|Fund|Stock).*|CompanyWarrant|Et[cfn]|Fund|Rights|SrdOnStock|Stock|Warrant)$/
  const only: Partial<Record<keyof (typeof offers)[number], RegExp>> = {
    BondIndexRatio: /^Bond$/,
    BondType: /^Bond$/,
    ContractSize: /Futures|Option$/,
    Coupon: /^Bond$/,
    CouponType: /^Bond$/,
    CutOffTimeForSubscriptions: /^MutualFund$/,
    DefaultSlippage: /^(?!MutualFund|StockIndex|.*Option$)/,
    ExerciseStyle: /Option$|^Warrant$/,
    ExpiryDate: /^Bond$|Futures|Option$/,
    IsRedemptionByAmounts: /^MutualFund$/,
    LotSize: /^Bond$|^(?!Fx|Mutual)/,
    MaxGuaranteedStopOrderSize: /^FxSpot$/,
    MinimumLotSize: listed,
    MinimumTradeSize: /^(Fx|Bond|CfdOnIndex)/,
    NoticeDate: /Futures/,
    OneYearTotalValueChange: /^(CfdOn)?(Stock|Etf|Etc)$|^SrdOnStock$/,
    PriceCurrency: listed,
    PriceToContractFactor: /^(Bond|CfdOnIndex)$/,
    SpotDays: /^Fx(?!Crypto)/,
    TickSizeLimitOrder: /^Fx(?!Crypto)/,
    TickSizeScheme: listed,
    UnderlyingUic: /^(CfdOnIndex|Warrant)$/,
  }
  for (const offer of offers) {
    for (const [member, types] of Object.entries(only)) {
      if (member in offer) assert.match(offer.AssetType, types, `${member} of ${offer.Symbol}`)
    }
  }
})

test('CFDs, currencies, options and warrants are complex, plain shares and bonds are not', () => {
  for (const { Symbol: symbol = '', AssetType, IsComplex } of offers) {
    if (/^(CfdOn|Fx|SrdOn|.*Warrant|Etn|Rights)/.test(AssetType))
      assert.equal(IsComplex, true, `${symbol} ${AssetType}`)
    else if (!/^Et[cf]$/.test(AssetType)) assert.equal(IsComplex, false, `${symbol} ${AssetType}`)
  }
  assert.equal(offers.find(({ Symbol: symbol }) => symbol === 'TQQQ:xnas')?.IsComplex, true)
})

test('tradable instruments have order types with durations, a tick size and amounts', () => {
  for (const offer of offers.filter(({ AssetType }) => AssetType !== 'StockIndex')) {
    const {
      Symbol: symbol = '',
      SupportedOrderTypes = [],
      SupportedOrderTypeSettings = [],
      TickSize = 0,
      Format,
    } = offer
    assert.ok(SupportedOrderTypes.length > 0, symbol)
    assert.deepEqual(
      SupportedOrderTypeSettings.map(({ OrderType }) => OrderType),
      SupportedOrderTypes,
    )
    assert.ok(TickSize > 0 && Format?.Decimals !== undefined, symbol)
    assert.ok((offer.DefaultAmount ?? 0) > 0 && (offer.IncrementSize ?? 0) > 0 && offer.StandardAmounts?.length, symbol)
    assert.equal(
      offer.LotSizeType === 'OddLotsNotAllowed',
      offer.LotSize !== undefined && offer.MinimumLotSize === offer.LotSize,
    )
  }
})

test('bonds and warrants that have ended are left out', async () => {
  const later = (await readDemo(Temporal.PlainDate.from('2036-01-01'))).instruments.filter(isCash)
  assert.ok(instruments.some(({ Symbol: symbol }) => symbol === 'DBR-2.6-2035-08'))
  assert.ok(!later.some(({ Symbol: symbol }) => symbol === 'DBR-2.6-2035-08'))
  assert.ok(!later.some(({ Symbol: symbol }) => symbol === 'OXY.WS:xnys'))
})

test('Apple is the most liquid, and the best known instruments have unique ranks', () => {
  const byRank = Map.groupBy(instruments, ({ Rank }) => Rank ?? 0)
  assert.deepEqual(
    byRank.get(1)?.map(({ Symbol: symbol }) => symbol),
    ['AAPL:xnas'],
  )
  for (let rank = 1; rank <= 80; rank += 1) assert.equal(byRank.get(rank)?.length, 1, `rank ${rank}`)
})

test('every trading status occurs, and indices cannot be traded', () => {
  const statuses = countBy(offers, ({ TradingStatus }) => TradingStatus ?? '')
  assert.deepEqual([...statuses.keys()].sort(), ['NonTradable', 'NotDefined', 'ReduceOnly', 'Tradable'])
  const tradable = offers.filter(
    ({ AssetType, TradingStatus }) => AssetType === 'StockIndex' && TradingStatus !== 'NonTradable',
  )
  assert.deepEqual(tradable, [])
})

test('most shares have performance figures, some have none', () => {
  const shares = instruments.filter(({ As }) => As[0]?.AssetType === 'Stock')
  const measured = shares.filter(({ OneYearTotalValueChange }) => OneYearTotalValueChange !== undefined)
  assert.ok(measured.length > 0.8 * shares.length && measured.length < shares.length)
  const opposed = measured.filter(
    (share) => (share.OneWeekTotalValueChange ?? 0) * (share.OneYearTotalValueChange ?? 0) < 0,
  )
  assert.ok(opposed.length > 0.25 * measured.length, 'the week and the year move independently')
})
