import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../http/html/html.ts'
import type { Exchange, ExchangeHolidays, TradingSchedule } from '../../instruments/api/schema.ts'
import { type SpecialDay, specialDays } from '../instruments/schedule/holidays.ts'
import { sessionsOf } from '../instruments/schedule/state.ts'
import { withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls, emptyState, hiddenText, pageLinks, table } from '../shared/elements.ts'
import { day, dayOf, daysFromToday, time, weekdayName, zoneName } from '../shared/format.ts'
import { exchangeHref, exchangesCall, exchangesPath } from './paths.ts'
import { marketStatus } from './rules/market-status.ts'
import { clockName, isOpen, nextChange, statusDot, statusText } from './status.ts'
import { dayStrip, stripAxis, stripBar, stripPatterns } from './strip.ts'

const pageSize = 100
const daysAhead = 30
const maxHolidays = 20

export async function showExchanges(ctx: PageContext): Promise<FastifyReply> {
  const { today, zone } = ctx
  // The date at an exchange may be one day off.
  const period = { FromDate: today.subtract({ days: 1 }).toString(), ToDate: today.add({ days: daysAhead }).toString() }
  const holidaysCall = withQuery('/x/v1/holidays', period)
  const [exchanges, holidays, earlier] = await Promise.all([
    ctx.api.getShared<{ Data: Exchange[] }>(exchangesCall),
    ctx.api.getShared<{ Data: ExchangeHolidays[] }>(holidaysCall),
    ctx.api.getShared<{ Data: Earlier[] }>(earlierCall),
  ])
  const rows = exchangeRows(exchanges.Data, holidays.Data, earlier.Data, ctx.now)
  const skipped = Math.max(Number.parseInt(ctx.query('$skip') ?? '', 10) || 0, 0)
  const shown = rows.slice(skipped, skipped + pageSize)
  const open = rows.filter(({ status }) => status && isOpen(status)).length
  return ctx.render({
    title: 'Exchanges',
    aside: html`<span class="quiet"><strong>${open}</strong> of ${rows.length} open now</span>`,
    body: html`${shown.length === 0 ? noExchanges : world(shown, ctx.now, zone)}
${pageLinks({
  'First page': skipped > 0 && exchangesPath,
  'Next page': skipped + pageSize < rows.length && `${exchangesPath}?$skip=${skipped + pageSize}`,
})}
${holidaysAhead(shown, ctx.now)}
${apiCalls(exchangesCall, holidaysCall, earlierCall)}`,
  })
}

const noExchanges = emptyState(
  'You see no exchange.',
  'Exchanges are listed if you may see one of their instruments. Contact the operator of this service.',
)

type Earlier = Pick<TradingSchedule, 'Sessions'> & Readonly<{ ExchangeId: string }>
const noSessions = { Sessions: [] }
const earlierCall = '/x/v1/earliersessions'

type ExchangeRow = ReturnType<typeof exchangeRows>[number]

/** From east to west, so that the markets of one part of the world are neighbours. */
function exchangeRows(
  exchanges: readonly Exchange[],
  holidays: readonly ExchangeHolidays[],
  earlier: readonly Earlier[],
  now: Temporal.Instant,
) {
  const past = new Map(earlier.map((one) => [one.ExchangeId, one]))
  const known = new Map(holidays.map((one) => [one.ExchangeId, one]))
  return exchanges
    .map((exchange) => {
      const found = known.get(exchange.ExchangeId)
      const zone = found?.TimeZone ?? 'UTC'
      const sessions = sessionsOf({ Sessions: exchange.ExchangeSessions })
      return {
        ...{ exchange, zone, sessions },
        earlier: sessionsOf(past.get(exchange.ExchangeId) ?? noSessions),
        status: marketStatus(sessions, now),
        today: now.toZonedDateTimeISO(zone).toPlainDate(),
        offset: now.toZonedDateTimeISO(zone).offsetNanoseconds,
        special: found ? specialDays(found) : [],
      }
    })
    .sort((one, other) => other.offset - one.offset || one.exchange.Name.localeCompare(other.exchange.Name, 'en'))
}

/** One bar per exchange over the same hours of the reader. */
function world(rows: readonly ExchangeRow[], now: Temporal.Instant, zone: string): Html {
  const strip = dayStrip(now, zone)
  const caption = `Exchanges from east to west, with who is open at ${time(now, zone)} ${clockName(zone)}`
  const line = ({ exchange, status, ...row }: ExchangeRow): Html => {
    const special = row.special.find(({ date }) => date === row.today.toString())
    const next = status && nextChange(status, now, zone)
    return html`<tr><th scope="row"><a href="${exchangeHref(exchange.ExchangeId)}"><bdi>${exchange.Name}</bdi></a></th>
<td class="local"><span class="num">${time(now, row.zone)}</span> <span class="quiet">${zoneName(row.zone)}</span></td>
<td class="bar">${stripBar(strip, [...row.earlier, ...row.sessions], now)}</td>
<td class="status">${status ? html`${statusDot(status)}${statusText(status, now, row.zone)}` : 'Unknown'}${special && html` <span class="quiet">${specialText(special)}</span>`}</td>
<td class="yours quiet">${next && html`${next.text}<span class="zone"> ${clockName(zone)}</span>, <span class="when">${next.distance}</span>`}</td></tr>`
  }
  return html`${stripPatterns}<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="world">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Exchange</th><th scope="col">Local time</th><th scope="col" class="bar">${hiddenText('Sessions by hour')}${stripAxis(strip, now)}</th><th scope="col">Status, local time</th><th scope="col">In ${clockName(zone)}</th></tr></thead>
<tbody>${rows.map(line)}</tbody></table></div>
<ul class="legend"><li><span class="swatch open"></span>open</li><li><span class="swatch open past"></span>was open earlier</li><li><span class="swatch pause"></span>break</li><li><span class="swatch now"></span>now</li><li>Hours are in ${clockName(zone)}</li></ul>`
}

const specialText = ({ name, at }: SpecialDay): Html => html`<bdi>${name}</bdi>${at && `, ${at.verb} ${at.time}`}`

function holidaysAhead(rows: readonly ExchangeRow[], now: Temporal.Instant): Html {
  const days = rows
    .flatMap(({ exchange, special, today }) => special.map((one) => ({ ...one, exchange, today })))
    .filter(({ date, today }) => date >= today.toString())
    .sort((one, other) => one.date.localeCompare(other.date))
  const shown = days.slice(0, maxHolidays)
  const until = now.toZonedDateTimeISO('UTC').toPlainDate().add({ days: daysAhead })
  return html`<section class="flow"><h2>Holidays ahead</h2>${
    shown.length === 0
      ? emptyState('No holidays ahead.', `No exchange is closed on a weekday until ${day(until)}, as far as known.`)
      : table<(typeof days)[number]>(
          'Holidays and short days ahead',
          [
            ['Date', ({ date }) => html`${weekdayName(dayOf(date))} ${day(date)}`, 'name'],
            ['When', ({ date, today }) => daysFromToday(today, dayOf(date))],
            [
              'Exchange',
              ({ exchange }) => html`<a href="${exchangeHref(exchange.ExchangeId)}"><bdi>${exchange.Name}</bdi></a>`,
            ],
            ['Day', ({ name }) => html`<bdi>${name}</bdi>`],
            ['Hours', ({ at }) => (at ? `${at.verb} ${at.time}` : 'closed')],
          ],
          shown,
        )
  }${
    days.length > shown.length &&
    html`<p class="small quiet">The first ${shown.length} of ${days.length} until ${day(until)}. The page of an exchange lists all of its own.</p>`
  }</section>`
}
