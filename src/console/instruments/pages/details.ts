import { type Html, html } from '../../../http/html/html.ts'
import type { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { tag } from '../../shared/elements.ts'
import { figure } from '../../shared/format.ts'
import type { PageContent } from '../../shared/frame.ts'
import type { ReferencePrice } from '../spaces/option-chain-series.ts'
import { aboutCards, type FieldCard, fieldCard, meanings, orderTypes, tradingCards } from './fields.ts'
import { assetTypeName, instrumentsCrumb, pageHead } from './names.ts'
import { chainLink, linkTo, type RelatedData, relatedSection, typeTabs } from './related.ts'
import { accountsSection, sessionCard, type TradabilityView, tradableTag, type Zones } from './trading.ts'

type InstrumentPage = Readonly<{
  details: InstrumentDetails
  tradability: TradabilityView
  related: RelatedData
  price: ReferencePrice | undefined
  zones: Zones
  now: Temporal.Instant
  calls: Html
}>

/** What the router renders. */
export function instrumentPage(page: InstrumentPage): PageContent {
  const { AssetType, CurrencyCode, Exchange } = page.details
  const type = `/console/instruments?AssetTypes=${AssetType}`
  const onExchange = `${type}&ExchangeId=${encodeURIComponent(Exchange.ExchangeId)}`
  return {
    ...pageHead(page.details),
    crumbs: [instrumentsCrumb, [assetTypeName(AssetType), type], [Exchange.Name, onExchange]],
    aside: html`<a class="plain-link" href="#accounts">${tradableTag(page.details)}</a> ${CurrencyCode && tag(CurrencyCode)}`,
    body: html`${instrumentBody(page)}${page.calls}`,
  }
}

function instrumentBody({ details, tradability, related, price, zones, now }: InstrumentPage): Html {
  const links = {
    instrument: (uic: number) => linkTo(related, uic),
    chain: (id: number) => chainLink(related.chains, id),
  }
  const card = (shown: FieldCard) => fieldCard(shown, details, links)
  return html`${typeTabs(details, related.instruments)}
<p class="row between"><span>${
    price &&
    html`Reference price <strong>${figure(price.ReferencePrice)} ${price.CurrencyCode}</strong> <span class="quiet">(a past price, not a quote)</span>`
  }</span><a class="small" href="#meanings">Field descriptions</a></p>
<div class="cards">${aboutCards.map(card)}${sessionCard(details, now, zones)}</div>
${accountsSection(tradability)}
<section class="flow"><h2>Trading terms</h2><div class="cards pairs">${tradingCards.map(card)}</div></section>
${orderTypes(details)}
${relatedSection(details, related)}
${meanings(details)}`
}
