import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import { type ClockState, mark, travelBanner } from '../../http/html/layout.ts'
import type { Link } from './elements.ts'

const sections: readonly Link[] = [
  ['Home', '/'],
  ['Apps', '/console/apps'],
  ['Instruments', '/console/instruments'],
  ['Corporate actions', '/console/events'],
  ['API', '/console/api'],
  ['Requests', '/console/requests'],
  ['Sessions', '/console/sessions'],
  ['Sim', '/console/sim'],
]

/** The menu entry of a page. Option chains, futures curves and trading hours belong to the instruments. */
export function sectionOf(url: string): string {
  const path = url.toLowerCase()
  if (/^\/console\/(options|futures|schedule)\//.test(path)) return '/console/instruments'
  return sections.find(([, href]) => href !== '/' && path.startsWith(href))?.[1] ?? '/'
}

export type Chrome = Readonly<{
  environment: Environment
  /** Whether there is a request log. */
  hasRequestLog: boolean
  user: Readonly<{ name: string; formToken: Html }> | undefined
  /** The page to return to after signing in. */
  next: string
  travel: ClockState | undefined
  /** Reload once the browser has stored its time zone. */
  needsZone: boolean
}>

export type PageContent = Readonly<{
  title: string
  /** The current menu entry, if not that of the URL. */
  section?: string
  /** The path to this page, without the page itself. */
  crumbs?: readonly Link[]
  /** Replaces the title in the heading. */
  heading?: Html
  aside?: Html | undefined
  body: Html
  scripts?: readonly string[]
  status?: number
}>

export function mainContent({ title, crumbs = [], heading, aside, body }: PageContent): Html {
  return html`<main id="content" class="flow">
<div class="page-head">
<div>
${crumbs.length > 0 && html`<p class="crumb">${crumbs.map(([name, href], index) => html`${index > 0 && ' / '}<a href="${href}"><bdi>${name}</bdi></a>`)}</p>`}
<h1>${heading ?? title}</h1>
</div>
${aside && html`<div class="row">${aside}</div>`}
</div>
${body}
</main>`
}

/** Puts the menu and the time travel banner around `content`, which brings its own landmarks. */
export function frame(chrome: Chrome, section: string, content: Html): Html {
  return html`<a class="skip" href="#content">Skip to content</a>
<div class="frame"${chrome.needsZone && html` data-needs-zone`}>
${menu(chrome, section)}
<div class="stage">
${travelBanner(chrome.travel, 'en', html`<a href="/console/sim">Change</a>`)}
${content}
</div>
</div>`
}

function menu({ environment, hasRequestLog, user, next }: Chrome, section: string): Html {
  const isThere: Record<string, boolean> = { Sim: environment === 'sim', Requests: hasRequestLog }
  const shown = sections.filter(([name]) => isThere[name] ?? true)
  return html`<header class="side">
<div class="row between"><a class="brand" href="/">${mark}refdesk</a>
<span class="env ${environment}"><span class="unseen">Environment: </span>${environment}</span></div>
<nav aria-label="Main"><ul>
${shown.map(([name, href]) => html`<li><a href="${href}"${href === section && html` aria-current="page"`}>${name}</a></li>`)}
</ul></nav>
${
  user
    ? html`<form class="who" method="post" action="/console/logout">${user.formToken}
<span><span class="quiet wide-only">Signed in as</span> <strong><bdi>${user.name}</bdi></strong></span>
<button class="link">Sign out</button></form>`
    : html`<p class="who"><a href="/console/login?next=${encodeURIComponent(next)}">Sign in</a></p>`
}
</header>`
}
