import { timeLeft } from '../../events/rules/status/deadlines.ts'
import { type Html, type HtmlValue, html } from '../../http/html/html.ts'
import { dateAndTime, instrumentName, typeName } from '../events/labels.ts'
import { entryPath, type LoggedRequest, listPath } from '../requests/data.ts'
import { statusTag, timeCell } from '../requests/elements.ts'
import { offsetText } from '../shared/chrome/header.ts'
import type { Travel } from '../shared/dependencies.ts'
import { table, tag } from '../shared/elements.ts'
import { dayAndTime, figure, type Reader, zoneName } from '../shared/format.ts'
import type { Overview } from './data.ts'
import { rateText, sparkline } from './traffic.ts'

export type OverviewProps = Overview & Readonly<{ reader: Reader; travel: Travel | undefined; isSim: boolean }>

/** A strip of what counts now, then what went wrong and what expires soon. */
export function overview(props: OverviewProps): Html {
  return html`<div class="home-strip">${serviceCard(props)}${clockCard(props)}${nextCard(props)}${trafficCard(props)}</div>
<div class="home-columns">${errorCard(props)}${secretCard(props)}</div>`
}

const stripCard = (title: HtmlValue, main: HtmlValue, more: HtmlValue): Html =>
  html`<section class="card"><h2>${title}</h2><p class="strip-main">${main}</p><p class="small">${more}</p></section>`

const statusNames = { Ready: 'Ready', NotReady: 'Not ready', Closing: 'Shutting down' } as const

function serviceCard({ health, revision }: OverviewProps): Html {
  const service = tag(statusNames[health.Status], health.Status === 'Ready' ? 'good' : 'warn')
  const database = health.Database === 'Up' ? tag('Database up', 'good') : tag('Database unavailable', 'bad')
  const counts = revision
    ? html`${figure(revision.Instruments)} instruments in all, ${figure(revision.OptionContracts)} contracts in ${figure(revision.OptionRoots)} chains, revision ${figure(revision.Revision)}`
    : 'Data currently unavailable'
  return stripCard('Service', html`${service} ${database}`, counts)
}

function clockCard({ reader: { now, zone }, travel, isSim }: OverviewProps): Html {
  const state = travel ? offsetText(travel) : 'real time'
  const link = isSim ? html`<a href="/console/sim">Change</a>` : undefined
  return stripCard('Clock', dayAndTime(now, zone), html`${zoneName(zone)}, ${state} ${link}`)
}

function nextCard({ next, reader: { now, zone } }: OverviewProps): Html {
  const { due, count = 0 } = next ?? {}
  if (!due) return stripCard('Next deadline', 'None', next ? 'No decision is pending.' : 'Currently unavailable')
  const { event, at } = due
  const link = html`<a href="/console/events/${encodeURIComponent(event.EventId)}">${typeName(event)}, <bdi>${instrumentName(event)}</bdi></a>`
  return stripCard(
    html`Next deadline <a class="quiet" href="/console/events">${figure(count)} pending</a>`,
    html`<time datetime="${at}">${dateAndTime(at, zone)}</time> <span class="quiet small">${timeLeft(at, now)}</span>`,
    link,
  )
}

function trafficCard({ requests }: OverviewProps): Html | undefined {
  if (!requests) return undefined
  const { traffic } = requests
  return html`<section class="card"><h2>Requests <a class="quiet" href="${listPath}">View log</a></h2><p class="strip-main">${rateText(traffic.perSecond)} <span class="quiet small">per second, last minute</span></p>${sparkline(traffic)}</section>`
}

function errorCard({ requests, reader: { zone } }: OverviewProps): Html | undefined {
  if (!requests) return undefined
  const { errors } = requests
  const reasonOf = ({ Fault, Reason }: LoggedRequest) => (Fault ? `Injected fault ${Fault}.` : (Reason ?? ''))
  const rows = table<LoggedRequest>(
    `Latest errors, times in ${zone}`,
    [
      ['Time', ({ Time }) => timeCell(Time, zone)],
      ['Status', ({ Status }) => statusTag(Status)],
      [
        'Request',
        ({ Id, Method, Path }) => {
          // Its page has the query.
          const text = `${Method} ${Path.replace(/\?.*/s, '')}`
          return html`<a class="num" href="${entryPath(Id)}" title="${text}">${text}</a>`
        },
        'name',
      ],
      ['Reason', (row) => html`<span class="quiet" title="${reasonOf(row)}">${reasonOf(row)}</span>`],
    ],
    errors,
  )
  return html`<section class="home-errors"><h2>Latest errors <a class="quiet" href="${listPath}">View all</a></h2>
${errors.length === 0 ? html`<p class="card quiet">No request has failed recently.</p>` : rows}</section>`
}

function secretCard({ secrets }: OverviewProps): Html | undefined {
  if (!secrets) return undefined
  const { ending, apps } = secrets
  const items = ending.map(
    ({ appKey, name, word, tone }) =>
      html`<li><a href="/console/apps/${appKey}"><bdi>${name}</bdi></a> ${tag(word, tone)}</li>`,
  )
  const calm =
    apps === 0
      ? html`You have no apps. <a href="/console/apps/new">Create an app</a>`
      : 'No secret expires in the next two weeks.'
  return html`<section><h2>Secrets that expire soon <a class="quiet" href="/console/apps">View apps</a></h2>
<div class="card">${items.length > 0 ? html`<ul class="plain">${items}</ul>` : html`<p class="quiet">${calm}</p>`}</div></section>`
}
