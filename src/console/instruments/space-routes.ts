import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../http/html/html.ts'
import type { ContractOptionEntry, FuturesSpace, InstrumentDetails, OptionSpace } from '../../instruments/api/schema.ts'
import type { Api } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import { tag } from '../shared/elements.ts'
import { day, dayOf, figure, shortDay } from '../shared/format.ts'
import { type Pages, sayWhy } from '../shared/router.ts'
import { chainsOf } from './chains.ts'
import { headingOf, nameOf, reasonNames } from './pages/names.ts'
import { futuresPage } from './spaces/futures-space.ts'
import { chainPage, chainPath, expiryTable, type Underlying } from './spaces/option-chain.ts'
import {
  askedDay,
  chosenSeries,
  expiryOf,
  ladderOf,
  moneyOf,
  moneyStrike,
  monthliesOf,
  priceAmong,
  type ReferencePrice,
  strikeCurrency,
  underlyingUics,
} from './spaces/option-chain-series.ts'
import { strikeMap } from './spaces/strike-map.ts'

type Prices = Readonly<{ Data: ReferencePrice[] }>

/** The option chain and the futures space: what can be traded on one underlying. */
export function spacePages(pages: Pages): void {
  pages.get('/console/options/:OptionRootId', showChain)
  pages.get('/console/futures/:ContinuousFuturesUic', showFutures)
}

/** A chain that is surely larger than this is drawn as a whole only when somebody asks for it. */
const mostContractsUnasked = 4_000

async function showChain(visit: Visit): Promise<FastifyReply> {
  const path = `/ref/v1/instruments/contractoptionspaces/${encodeURIComponent(visit.param('OptionRootId'))}`
  const asked = askedDay(visit.asked('expiry'))
  // The answer names every expiry, and has the options of the few that are opened.
  const root = await visit.api.get<OptionSpace>(path, {
    OptionSpaceSegment: asked === undefined ? 'DefaultDates' : 'SpecificDates',
    ExpiryDates: asked,
  })
  const shown = chosenSeries(root.OptionSpace, asked)
  if (!shown) return sayEmptyChain(visit, root)
  // What has expired, or never was, leads on to the next one.
  if (asked !== undefined && expiryOf(shown) !== asked) return visit.goTo(chainPath(root, expiryOf(shown)))
  const rungs = ladderOf(shown.SpecificOptions ?? [])
  const { underlying, price } = await underlyingOf(visit.api, root, shown)
  const moneyAt = price === undefined ? undefined : moneyOf(root, price)
  const money = moneyAt === undefined ? undefined : moneyStrike(rungs, moneyAt)
  const monthly = monthliesOf(root.OptionSpace)
  const isSmall = (shown.SpecificOptions?.length ?? 0) * root.OptionSpace.length <= mostContractsUnasked
  const whole =
    isSmall || visit.asked('overview') === 'all'
      ? await visit.api.get<OptionSpace>(path, { OptionSpaceSegment: 'AllDates' })
      : undefined
  return visit.show({
    title: nameOf(root),
    heading: headingOf(root),
    place: 'instruments',
    crumbs: [['Instruments', '/console/instruments']],
    aside: tradableTags(root),
    scripts: ['in-view.js'],
    body: chainPage({
      root,
      shown,
      monthly,
      rungs,
      underlying,
      price,
      moneyAt,
      money,
      wantsAllStrikes: visit.asked('strikes') === 'all',
      overview: overviewOf({ root, whole, shown, monthly, moneyAt }),
      zone: visit.zone,
    }),
  })
}

function tradableTags({ IsTradable, TradableOn, NonTradableReason, CurrencyCode }: OptionSpace): Html {
  const count = TradableOn.length
  return html`${
    IsTradable
      ? tag(`Tradable on ${count} ${count === 1 ? 'account' : 'accounts'}`, 'good')
      : tag(reasonNames[NonTradableReason], 'warn')
  }${tag(CurrencyCode)}`
}

async function underlyingOf(
  api: Api,
  root: OptionSpace,
  shown: ContractOptionEntry,
): Promise<{ underlying: Underlying | undefined; price: number | undefined }> {
  const uics = underlyingUics(root, shown)
  const [own] = uics
  if (own === undefined || root.UnderlyingAssetType === undefined) return { underlying: undefined, price: undefined }
  const [details, prices] = await Promise.all([
    api.find<InstrumentDetails>(`/ref/v1/instruments/details/${own}/${root.UnderlyingAssetType}`),
    api.get<Prices>('/x/v1/referenceprices', { Uics: uics.map(String) }),
  ])
  return {
    underlying: details && { Uic: own, AssetType: details.AssetType, name: nameOf(details) },
    price: priceAmong(uics, prices.Data, strikeCurrency(root)),
  }
}

type Overview = Readonly<{
  root: OptionSpace
  whole: OptionSpace | undefined
  shown: ContractOptionEntry
  monthly: ReadonlySet<string>
  moneyAt: number | undefined
}>

function overviewOf({ root, whole, shown, monthly, moneyAt }: Overview): Html {
  const rows = (whole ?? root).OptionSpace.map((series) => ({
    series,
    isMonthly: monthly.has(expiryOf(series)),
    isShown: expiryOf(series) === expiryOf(shown),
    ...(whole && { strikes: [...new Set((series.SpecificOptions ?? []).map(({ StrikePrice }) => StrikePrice))] }),
  }))
  if (!whole)
    return html`<p class="small">This chain is large. <a href="/console/options/${root.OptionRootId}?expiry=${expiryOf(shown)}&overview=all">Draw the strikes of all ${rows.length} expiries</a></p>
${expiryTable(root, rows)}`
  const year = dayOf(rows[0]?.series.Expiry ?? shown.Expiry).year
  const chart = strikeMap(
    `Strikes of each of ${rows.length} expiries of ${nameOf(root)}; the table below says the same`,
    rows.map(({ series, isMonthly, isShown, strikes = [] }) => {
      const date = dayOf(series.Expiry)
      return { label: date.year === year ? shortDay(date) : day(date), strikes, isMonthly, isShown }
    }),
    moneyAt === undefined ? undefined : { price: moneyAt, label: `the money, ${figure(moneyAt)}` },
  )
  return html`<div class="card">${chart}<p class="small quiet">A dot is a strike, a line many that stand close; monthlies are bold.</p></div>
${expiryTable(root, rows)}`
}

function sayEmptyChain(visit: Visit, root: OptionSpace): FastifyReply {
  return sayWhy(visit, {
    status: 200,
    title: nameOf(root),
    sentence: 'All options of this root have expired, and no new ones are listed yet.',
    href: '/console/instruments',
    action: 'Search for another instrument',
  })
}

const mostPrices = 200

async function showFutures(visit: Visit): Promise<FastifyReply> {
  const uic = visit.param('ContinuousFuturesUic')
  const [space, details] = await Promise.all([
    visit.api.get<FuturesSpace>(`/ref/v1/instruments/futuresspaces/${encodeURIComponent(uic)}`),
    visit.api.get<InstrumentDetails>(`/ref/v1/instruments/details/${encodeURIComponent(uic)}/ContractFutures`),
  ])
  const uics = [details.Uic, ...space.Elements.map(({ Uic }) => Uic)].slice(0, mostPrices)
  const [prices, chains] = await Promise.all([
    visit.api.get<Prices>('/x/v1/referenceprices', { Uics: uics.map(String) }),
    chainsOf(visit, details),
  ])
  return visit.show({
    title: nameOf(details),
    heading: headingOf(details),
    place: 'instruments',
    crumbs: [['Instruments', '/console/instruments']],
    aside: html`${tag(`${space.Elements.length} expiries`)}${tag(details.CurrencyCode)}`,
    body: futuresPage({
      space,
      details,
      chains,
      prices: new Map(prices.Data.map(({ Uic, ReferencePrice }) => [Uic, ReferencePrice])),
      now: visit.now,
    }),
  })
}
