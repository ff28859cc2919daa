import { type Html, html } from '../../../http/html/html.ts'
import type { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { type Link, tag } from '../../shared/elements.ts'
import { figure } from '../../shared/format.ts'
import type { ReferencePrice } from '../spaces/option-chain-series.ts'
import { aboutCards, type FieldCard, fieldCard, meanings, orderTypes, tradingCards } from './fields.ts'
import { assetTypeName, headingOf, nameOf } from './names.ts'
import { chainLink, linkTo, type RelatedData, relatedSection, typeTabs } from './related.ts'
import { accountsSection, sessionCard, type TradabilityView, tradableTag, type Zones } from './trading.ts'

type InstrumentPage = Readonly<{
  details: InstrumentDetails
  tradability: TradabilityView
  related: RelatedData
  price: ReferencePrice | undefined
  zones: Zones
  now: Temporal.Instant
}>

type Head = Readonly<{ title: string; crumbs: readonly Link[]; heading: Html; aside: Html }>

export function instrumentHead({ details }: InstrumentPage): Head {
  const { AssetType, CurrencyCode, Exchange } = details
  const type = `/console/instruments?AssetTypes=${AssetType}`
  return {
    title: nameOf(details),
    crumbs: [
      ['Instruments', '/console/instruments'],
      [assetTypeName(AssetType), type],
      [Exchange.Name, `${type}&ExchangeId=${encodeURIComponent(Exchange.ExchangeId)}`],
    ],
    heading: headingOf(details),
    aside: html`<a class="plain-link" href="#accounts">${tradableTag(details)}</a> ${CurrencyCode && tag(CurrencyCode)}`,
  }
}

export function instrumentBody({ details, tradability, related, price, zones, now }: InstrumentPage): Html {
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
