import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../http/html/html.ts'
import type * as schema from '../../../instruments/api/schema.ts'
import { whyOf } from '../../explain/why.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { apiCalls, codeBlock } from '../../shared/elements.ts'
import { figure } from '../../shared/format.ts'
import { cards, fieldCard, meanings, orderTypes } from './fields.ts'
import {
  detailsCall,
  findInstrument,
  instrumentHead,
  instrumentPath,
  instrumentTabs,
  readInstrument,
  renderUnknownInstrument,
} from './instrument.ts'
import * as relations from './related.ts'
import { accountsSection } from './trading.ts'

export async function showOverview(ctx: PageContext): Promise<FastifyReply> {
  const tradabilityCall = `/x/v1/tradability/${instrumentPath(ctx)}`
  const [view, tradability] = await Promise.all([
    readInstrument(ctx),
    findInstrument<schema.InstrumentTradability>(ctx, tradabilityCall),
  ])
  if (!view || !tradability) return renderUnknownInstrument(ctx)
  const { details } = view
  const why = details.IsTradable ? undefined : await whyOf(ctx, `/ref/v1/instruments/details/${instrumentPath(ctx)}`)
  const priceCall = withQuery('/x/v1/referenceprices', { Uics: details.Uic })
  const [related, prices] = await Promise.all([
    relations.readRelated(ctx, details),
    ctx.api.get<{ Data: schema.ReferencePrice[] }>(priceCall),
  ])
  return ctx.render({
    ...instrumentHead(view),
    body: html`${instrumentTabs(view, 'Overview')}
${overviewLine(prices.Data[0], details, related.instruments)}
<div class="cards about">${fieldCards('about', details, related)}</div>
${accountsSection(tradability)}
${why}
<section class="flow"><h2>Trading terms</h2><div class="cards pairs">${fieldCards('trading', details, related)}</div></section>
${orderTypes(details)}
${meanings(details)}
${apiCalls(detailsCall(ctx), tradabilityCall, priceCall, relations.relatedCall(details))}`,
  })
}

function overviewLine(
  price: schema.ReferencePrice | undefined,
  details: schema.InstrumentDetails,
  instruments: readonly schema.InstrumentDetails[],
): Html {
  const unit = details.Format?.Format === 'Percentage' ? '%' : price?.CurrencyCode
  return html`<div class="row between"><span>${
    price &&
    html`Reference price <strong>${figure(price.ReferencePrice)} ${unit}</strong> <span class="quiet">(a past price, not a quote)</span>`
  }</span><span class="row">${relations.typeTabs(details, instruments)}<a class="small" href="#meanings">Field descriptions</a></span></div>`
}

function fieldCards(
  part: keyof typeof cards,
  details: schema.InstrumentDetails,
  related: relations.RelatedData,
): (Html | undefined)[] {
  const links = {
    instrument: (uic: number) => relations.linkTo(related, uic),
    chain: (id: number) => relations.chainLink(related.chains, id),
  }
  return cards[part].map((card) => fieldCard(card, details, links))
}

export async function showRelated(ctx: PageContext): Promise<FastifyReply> {
  const view = await readInstrument(ctx)
  if (!view) return renderUnknownInstrument(ctx)
  const related = await relations.readRelated(ctx, view.details)
  return ctx.render({
    ...instrumentHead(view),
    body: html`${instrumentTabs(view, 'Related')}${relations.relatedSection(view.details, related, view.continuousUic)}
${apiCalls(detailsCall(ctx), relations.relatedCall(view.details))}`,
  })
}

/** The response of the operation, as an app receives it. */
export async function showJson(ctx: PageContext): Promise<FastifyReply> {
  const view = await readInstrument(ctx)
  if (!view) return renderUnknownInstrument(ctx)
  return ctx.render({
    ...instrumentHead(view),
    body: html`${instrumentTabs(view, 'JSON')}
<section class="json">${codeBlock(JSON.stringify(view.details, null, 2), 'the response')}</section>
${apiCalls(detailsCall(ctx))}`,
  })
}
