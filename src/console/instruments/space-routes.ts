import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../http/html/html.ts'
import type { ContractOptionEntry, FuturesSpace, InstrumentDetails, OptionSpace } from '../../instruments/api/schema.ts'
import type { ApiClient } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { tag } from '../shared/elements.ts'
import { dayIn, dayOf, figure } from '../shared/format.ts'
import { renderMessage } from '../shared/messages.ts'
import type { PageRouter } from '../shared/router.ts'
import { chainsOf } from './chains.ts'
import { headingOf, nameOf } from './pages/names.ts'
import { tradableTag } from './pages/trading.ts'
import { futuresPage } from './spaces/futures-space.ts'
import { type ChainView, chainPage, chainPath, expiryTable, type Underlying } from './spaces/option-chain.ts'
import * as chain from './spaces/option-chain-series.ts'
import { strikeMap } from './spaces/strike-map.ts'

type Prices = Readonly<{ Data: chain.ReferencePrice[] }>

export function spaceRoutes(router: PageRouter): void {
  router.get('/console/options/:OptionRootId', showChain)
  router.get('/console/futures/:ContinuousFuturesUic', showFutures)
}

/** Larger chains are drawn only on request. */
const maxContractsDrawn = 4_000

async function showChain(ctx: PageContext): Promise<FastifyReply> {
  const path = `/ref/v1/instruments/contractoptionspaces/${encodeURIComponent(ctx.param('OptionRootId'))}`
  const expiry = chain.parseDay(ctx.query('expiry'))
  // The response lists every expiry, but options only of the requested ones.
  const root = await ctx.api.get<OptionSpace>(path, {
    OptionSpaceSegment: expiry === undefined ? 'DefaultDates' : 'SpecificDates',
    ExpiryDates: expiry,
  })
  const shown = chain.chosenSeries(root.OptionSpace, expiry)
  if (!shown) return renderEmptyChain(ctx, root)
  // An expired or unknown expiry redirects to the next one.
  if (expiry !== undefined && chain.expiryOf(shown) !== expiry)
    return ctx.redirect(chainPath(root, chain.expiryOf(shown)))
  const rungs = chain.ladderOf(shown.SpecificOptions ?? [])
  const { underlying, price } = await readUnderlying(ctx.api, root, shown)
  const moneyAt = price === undefined ? undefined : chain.moneyOf(root, price)
  const monthly = chain.monthliesOf(root.OptionSpace)
  const isSmall = (shown.SpecificOptions?.length ?? 0) * root.OptionSpace.length <= maxContractsDrawn
  const whole =
    isSmall || ctx.query('overview') === 'all'
      ? await ctx.api.get<OptionSpace>(path, { OptionSpaceSegment: 'AllDates' })
      : undefined
  return ctx.render({
    title: nameOf(root),
    heading: headingOf(root),
    crumbs: [['Instruments', '/console/instruments']],
    aside: html`${tradableTag(root)}${tag(root.CurrencyCode)}`,
    scripts: ['in-view.js'],
    body: chainPage({
      ...{ root, shown, monthly, rungs, underlying, price, moneyAt },
      money: moneyAt === undefined ? undefined : chain.moneyStrike(rungs, moneyAt),
      wantsAllStrikes: ctx.query('strikes') === 'all',
      overview: overviewOf(root, whole, { shown, monthly, moneyAt }),
      zone: ctx.zone,
    }),
  })
}

async function readUnderlying(
  api: ApiClient,
  root: OptionSpace,
  shown: ContractOptionEntry,
): Promise<{ underlying: Underlying | undefined; price: number | undefined }> {
  const uics = chain.underlyingUics(root, shown)
  const [own] = uics
  if (own === undefined || root.UnderlyingAssetType === undefined) return { underlying: undefined, price: undefined }
  const [details, prices] = await Promise.all([
    api.find<InstrumentDetails>(`/ref/v1/instruments/details/${own}/${root.UnderlyingAssetType}`),
    api.get<Prices>('/x/v1/referenceprices', { Uics: uics.map(String) }),
  ])
  return {
    underlying: details && { Uic: own, AssetType: details.AssetType, name: nameOf(details) },
    price: chain.priceAmong(uics, prices.Data, chain.strikeCurrency(root)),
  }
}

function overviewOf(
  root: OptionSpace,
  whole: OptionSpace | undefined,
  { shown, monthly, moneyAt }: Pick<ChainView, 'shown' | 'monthly' | 'moneyAt'>,
): Html {
  const rows = (whole ?? root).OptionSpace.map((series) => ({
    series,
    isMonthly: monthly.has(chain.expiryOf(series)),
    isShown: chain.expiryOf(series) === chain.expiryOf(shown),
    ...(whole && { strikes: [...new Set((series.SpecificOptions ?? []).map(({ StrikePrice }) => StrikePrice))] }),
  }))
  if (!whole)
    return html`<p class="small">This chain is large. <a href="/console/options/${root.OptionRootId}?expiry=${chain.expiryOf(shown)}&overview=all">Draw the strikes of all ${rows.length} expiries</a></p>
${expiryTable(root, rows)}`
  const { year } = dayOf(rows[0]?.series.Expiry ?? shown.Expiry)
  const chart = strikeMap(
    `Strikes of ${rows.length} expiries of ${nameOf(root)}; the table below lists the same data`,
    rows.map(({ series, isMonthly, isShown, strikes = [] }) => {
      return { label: dayIn(year, dayOf(series.Expiry)), strikes, isMonthly, isShown }
    }),
    moneyAt === undefined ? undefined : { price: moneyAt, label: `at the money, ${figure(moneyAt)}` },
  )
  return html`<div class="card">${chart}<p class="small quiet">Each dot is a strike; a line is many strikes close together. Monthly expiries are bold.</p></div>
${expiryTable(root, rows)}`
}

function renderEmptyChain(ctx: PageContext, root: OptionSpace): FastifyReply {
  const text = 'All options of this chain have expired, and no new ones are listed yet.'
  return renderMessage(ctx, 200, nameOf(root), text, ['Search instruments', '/console/instruments'])
}

const maxPrices = 200

async function showFutures(ctx: PageContext): Promise<FastifyReply> {
  const uic = encodeURIComponent(ctx.param('ContinuousFuturesUic'))
  const [space, details] = await Promise.all([
    ctx.api.get<FuturesSpace>(`/ref/v1/instruments/futuresspaces/${uic}`),
    ctx.api.get<InstrumentDetails>(`/ref/v1/instruments/details/${uic}/ContractFutures`),
  ])
  const uics = [details.Uic, ...space.Elements.map(({ Uic }) => Uic)].slice(0, maxPrices)
  const [{ Data }, chains] = await Promise.all([
    ctx.api.get<Prices>('/x/v1/referenceprices', { Uics: uics.map(String) }),
    chainsOf(ctx, details),
  ])
  const prices = new Map(Data.map(({ Uic, ReferencePrice }) => [Uic, ReferencePrice]))
  return ctx.render({
    title: nameOf(details),
    heading: headingOf(details),
    crumbs: [['Instruments', '/console/instruments']],
    aside: html`${tag(`${space.Elements.length} expiries`)}${tag(details.CurrencyCode)}`,
    body: futuresPage({ space, details, chains, prices, now: ctx.now }),
  })
}
