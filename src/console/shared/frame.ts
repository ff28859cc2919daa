import { type Html, html } from '../../http/html/html.ts'
import { mark, type Travelled, travelBanner } from '../../http/html/layout.ts'
import type { Visit } from './context.ts'

/** The places of the console, in the order of the menu. */
export const places = [
  { id: 'home', href: '/', name: 'Home' },
  { id: 'apps', href: '/console/apps', name: 'Apps' },
  { id: 'instruments', href: '/console/instruments', name: 'Instruments' },
  { id: 'events', href: '/console/events', name: 'Corporate actions' },
  { id: 'api', href: '/console/api', name: 'API' },
  { id: 'sessions', href: '/console/sessions', name: 'Sessions' },
  { id: 'sim', href: '/console/sim', name: 'Sim' },
] as const

export type PlaceId = (typeof places)[number]['id']
export type Crumb = readonly [name: string, href: string]

export type FrameProps = {
  visit: Visit
  title: string
  place: PlaceId | undefined
  /** The way here, without the page itself. */
  crumbs?: readonly Crumb[]
  /** The heading where it is more than the title. */
  heading?: Html
  /** Beside the heading: tags, buttons. */
  aside?: Html | undefined
  body: Html
  scripts?: readonly string[]
}

/** The frame that every page of the console stands in: the menu, who is here, the environment, a travelled clock. */
export function frame({ visit, title, place, crumbs = [], heading, aside, body }: FrameProps): Html {
  return bareFrame(
    visit,
    place,
    html`<main id="content" class="flow">
<div class="page-head">
<div>
${crumbs.length > 0 && html`<p class="crumb">${crumbs.map(([name, href], index) => html`${index > 0 && ' / '}<a href="${href}"><bdi>${name}</bdi></a>`)}</p>`}
<h1>${heading ?? title}</h1>
</div>
${aside && html`<div class="row">${aside}</div>`}
</div>
${body}
</main>`,
  )
}

/** The frame around something that brings its own heading and landmarks. */
export function bareFrame(visit: Visit, place: PlaceId | undefined, body: Html): Html {
  return html`<a class="skip" href="#content">To the content</a>
<div class="frame"${visit.wantsZone && html` data-wants-zone`}>
${menu(visit, place)}
<div class="stage">
${travelBanner(travelled(visit), 'en', html`<a href="/console/sim">Change it</a>`)}
${body}
</div>
</div>`
}

function menu(visit: Visit, place: PlaceId | undefined): Html {
  const { environment } = visit.parts
  const shown = places.filter(({ id }) => id !== 'sim' || environment === 'sim')
  return html`<header class="side">
<div class="row between"><a class="brand" href="/">${mark}refdesk</a>
<span class="env ${environment}"><span class="unseen">Environment: </span>${environment}</span></div>
<nav aria-label="Main"><ul>
${shown.map(({ id, href, name }) => html`<li><a href="${href}"${id === place && html` aria-current="page"`}>${name}</a></li>`)}
</ul></nav>
${who(visit)}
</header>`
}

function who({ session, formToken, request: { method, url } }: Visit): Html {
  if (!session)
    return html`<p class="who"><a href="/console/login?next=${encodeURIComponent(method === 'GET' ? url : '/')}">Sign in</a></p>`
  return html`<form class="who" method="post" action="/console/logout">${formToken}
<span><span class="quiet wide-only">Signed in as</span> <strong><bdi>${session.userName}</bdi></strong></span>
<button class="link">Sign out</button></form>`
}

function travelled({ parts, now }: Visit): Travelled | undefined {
  const travel = parts.travel()
  return travel && { now, frozen: travel.frozen }
}
