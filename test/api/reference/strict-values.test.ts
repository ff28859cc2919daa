import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { InstrumentDetails, InstrumentSummary } from '../../../src/instruments/api/schema.ts'
import { readOk } from '../../support/reference/rest.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

/** Values that published clients check by asset type, over every instrument of the demo (§6.2). */
const service = await sharedDemoService()
const { access_token: ada } = await obtainTokens(service.url)

type Page<Row> = { Data: Row[]; __next?: string }

async function walk<Row>(path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let url: string | undefined = `${service.baseUrl}/ref/v1/${path}`; url !== undefined; ) {
    const page: Page<Row> = await readOk(getRest('', url, ada))
    rows.push(...page.Data)
    url = page.__next
  }
  return rows
}

const found: InstrumentSummary[] = []
const rows: InstrumentDetails[] = []

before(async () => {
  found.push(...(await walk<InstrumentSummary>('instruments?$top=1000&IncludeNonTradable=true')))
  const uics = found.filter(({ SummaryType }) => SummaryType === 'Instrument').map(({ Identifier }) => Identifier)
  for (let from = 0; from < uics.length; from += 500) {
    const some = uics.slice(from, from + 500).join()
    const query = `$top=1000&FieldGroups=OrderSetting,SupportedOrderTypeSettings&Uics=${some}`
    rows.push(...(await walk<InstrumentDetails>(`instruments/details?${query}`)))
  }
  assert.ok(found.length > 1_200 && rows.length > found.length, `${found.length} results, ${rows.length} rows`)
})

const listed = /^(Cfd|Srd)On(?!Index|Futures)|^(CompanyWarrant|Et[cfn]|Fund|Rights|Stock|Warrant)$/
const day = ['DayOrder', 'GoodTillCancel', 'GoodTillDate']
const orders = ['Limit', 'Market', 'StopIfTraded', 'StopLimit', 'TrailingStopIfTraded']
const fxOrders = ['GuaranteedStop', 'Limit', 'Market', 'Stop', 'StopLimit', 'TrailingStop']

type Rule = Readonly<{ orders: string[]; durations: string[]; slippage?: string; lots: string[] }>

const sharesRule = { orders, durations: [...day, 'ImmediateOrCancel'], slippage: 'Ticks' }
const fxRule = { orders: fxOrders, durations: [...day, 'FillOrKill', 'ImmediateOrCancel'], lots: ['NotUsed'] }
/** The order types, their durations, the unit of the slippage and the kinds of lots: of the first row that matches. */
const rules: [RegExp, Rule][] = [
  [listed, { ...sharesRule, lots: ['NotUsed', 'OddLotsNotAllowed'] }],
  [/^CfdOnIndex$/, { ...sharesRule, slippage: 'Percentage', lots: ['NotUsed'] }],
  [/^CfdOnFutures$/, { orders, durations: day, slippage: 'Percentage', lots: ['OddLotsNotAllowed'] }],
  [/^ContractFutures$/, { orders, durations: day, slippage: 'Ticks', lots: ['OddLotsNotAllowed'] }],
  [/^Bond$/, { orders: ['Limit', 'Market'], durations: day, slippage: 'Ticks', lots: ['NotUsed'] }],
  [/^MutualFund$/, { orders: ['Market'], durations: ['DayOrder'], lots: ['NotUsed'] }],
  [/^Fx.+Option$/, fxRule],
  [/^FxForwards$/, { ...fxRule, durations: ['DayOrder', 'ImmediateOrCancel'], slippage: 'Percentage' }],
  [/^FxSpot$/, { ...fxRule, durations: [...day, 'ImmediateOrCancel'], slippage: 'Percentage' }],
  [/^FxSwap$/, { ...fxRule, durations: ['FillOrKill'], slippage: 'Percentage' }],
  [/^Fx/, { ...fxRule, slippage: 'Percentage' }],
]

test('order types, durations, slippage and lots are those of the asset type', () => {
  for (const row of rows.filter(({ AssetType }) => AssetType !== 'StockIndex')) {
    const { AssetType, Symbol: symbol, SupportedOrderTypes = [], SupportedOrderTypeSettings = [] } = row
    const name = `${symbol} ${AssetType}`
    const [, rule] = rules.find(([types]) => types.test(AssetType)) ?? []
    assert.ok(rule, `no rule for ${name}`)
    const durations = SupportedOrderTypeSettings.flatMap(({ DurationTypes }) => DurationTypes)
    assert.deepEqual(
      {
        orders: SupportedOrderTypes.filter((type) => !rule.orders.includes(type)),
        durations: durations.filter((type) => !rule.durations.includes(type)),
        settings: SupportedOrderTypeSettings.map(({ OrderType }) => OrderType),
        slippage: row.DefaultSlippageType,
        lots: rule.lots.includes(row.LotSizeType ?? ''),
      },
      { orders: [], durations: [], settings: SupportedOrderTypes, slippage: rule.slippage, lots: true },
      name,
    )
    assert.equal(row.DefaultSlippage !== undefined, rule.slippage !== undefined, name)
    assert.ok(SupportedOrderTypes.includes('Market'), name)
    assert.ok(durations.includes(AssetType === 'FxSwap' ? 'FillOrKill' : 'DayOrder'), name)
    const { StopLossDefaultOrderType: stop } = row.OrderDistances ?? {}
    if (stop && SupportedOrderTypes.some((type) => /Stop/.test(type)))
      assert.ok(SupportedOrderTypes.includes(stop), `${name} ${stop}`)
  }
})

test('what cannot be traded says why, and nothing else does', () => {
  const reasons = new Map<string, Set<string>>()
  for (const { AssetType, IsTradable, NonTradableReason, TradableOn, TradableAs = [] } of rows) {
    assert.equal(NonTradableReason === 'None', IsTradable)
    assert.equal(TradableOn.length > 0, IsTradable)
    assert.equal(TradableAs.includes(AssetType), IsTradable)
    reasons.set(NonTradableReason, (reasons.get(NonTradableReason) ?? new Set()).add(AssetType))
  }
  assert.deepEqual([...reasons.keys()].sort(), ['ExpiredInstrument', 'None', 'OtherReason', 'ReduceOnlyInstrument'])
  assert.ok(reasons.get('OtherReason')?.has('StockIndex'))
})

test('TradableAs of a search result lists the asset types of its details, the main one first', () => {
  const typesOf = Map.groupBy(
    rows.filter(({ IsTradable }) => IsTradable),
    ({ Uic }) => Uic,
  )
  for (const { Identifier, AssetType, SummaryType, TradableAs = [], Symbol: symbol } of found) {
    if (SummaryType !== 'Instrument') continue
    const own = (typesOf.get(Identifier) ?? []).map((row) => row.AssetType)
    assert.deepEqual(TradableAs.toSorted(), own.toSorted(), symbol)
    if (own.includes(AssetType)) assert.equal(TradableAs[0], AssetType, symbol)
  }
})
