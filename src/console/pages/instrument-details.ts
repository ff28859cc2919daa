import { type Html, html } from '../../http/html.ts'
import type { InstrumentDetails } from '../../instruments/schema.ts'
import { tag } from '../elements.ts'
import type { Crumb } from '../frame.ts'
import { aboutGroups, type FieldGroup, fieldCard, orderTypes, tradingGroups } from './instrument-fields.ts'
import { assetTypeName } from './instrument-names.ts'
import { linkIn, type Neighbours, relatedSection, typeTabs } from './instrument-related.ts'
import { accountsSection, sessionCard, type TradabilityView, tradableTag, type Zones } from './instrument-trading.ts'

export type InstrumentPage = Readonly<{
  details: InstrumentDetails
  tradability: TradabilityView
  neighbours: Neighbours
  zones: Zones
  now: Temporal.Instant
}>

type Head = Readonly<{ title: string; crumbs: readonly Crumb[]; heading: Html; aside: Html }>

export function instrumentHead({ details }: InstrumentPage): Head {
  const { AssetType, CurrencyCode, Exchange, Symbol: symbol } = details
  const name = details.Description ?? symbol ?? String(details.Uic)
  const type = `/console/instruments?AssetTypes=${AssetType}`
  return {
    title: name,
    crumbs: [
      ['Instruments', '/console/instruments'],
      [assetTypeName(AssetType), type],
      [Exchange.Name, `${type}&ExchangeId=${encodeURIComponent(Exchange.ExchangeId)}`],
    ],
    heading: html`${name} <span class="quiet num symbol">${symbol}</span>`,
    aside: html`<a class="plain-link" href="#accounts">${tradableTag(details)}</a> ${CurrencyCode && tag(CurrencyCode)}`,
  }
}

export function instrumentBody(page: InstrumentPage): Html {
  const { details, tradability, neighbours, zones, now } = page
  const { others } = neighbours
  const card = (group: FieldGroup) => fieldCard(group, details, (uic) => linkIn(others, uic))
  return html`${typeTabs(details, others)}
<div class="cards">${aboutGroups.map(card)}${sessionCard(details, now, zones)}</div>
${accountsSection(tradability)}
<section class="flow"><h2>How it trades</h2><div class="cards pairs">${tradingGroups.map(card)}</div></section>
${orderTypes(details)}
${relatedSection(details, neighbours)}`
}
