import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import { type ClockState, mark, travelBanner } from '../../http/html/layout.ts'

export const sections = [
  { id: 'home', href: '/', name: 'Home' },
  { id: 'apps', href: '/console/apps', name: 'Apps' },
  { id: 'instruments', href: '/console/instruments', name: 'Instruments' },
  { id: 'events', href: '/console/events', name: 'Corporate actions' },
  { id: 'api', href: '/console/api', name: 'API' },
  { id: 'sessions', href: '/console/sessions', name: 'Sessions' },
  { id: 'sim', href: '/console/sim', name: 'Sim' },
] as const

type SectionId = (typeof sections)[number]['id']
export type Crumb = readonly [name: string, href: string]

export type Chrome = Readonly<{
  environment: Environment
  user: Readonly<{ name: string; formToken: Html }> | undefined
  /** The page to return to after signing in. */
  next: string
  travel: ClockState | undefined
  /** Reload once the browser has stored its time zone. */
  needsZone: boolean
}>

export type PageContent = Readonly<{
  title: string
  section: SectionId | undefined
  /** The path to this page, without the page itself. */
  crumbs?: readonly Crumb[]
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
export function frame(chrome: Chrome, section: SectionId | undefined, content: Html): Html {
  return html`<a class="skip" href="#content">Skip to content</a>
<div class="frame"${chrome.needsZone && html` data-needs-zone`}>
${menu(chrome, section)}
<div class="stage">
${travelBanner(chrome.travel, 'en', html`<a href="/console/sim">Change</a>`)}
${content}
</div>
</div>`
}

function menu({ environment, user, next }: Chrome, section: SectionId | undefined): Html {
  const shown = sections.filter(({ id }) => id !== 'sim' || environment === 'sim')
  return html`<header class="side">
<div class="row between"><a class="brand" href="/">${mark}refdesk</a>
<span class="env ${environment}"><span class="unseen">Environment: </span>${environment}</span></div>
<nav aria-label="Main"><ul>
${shown.map(({ id, href, name }) => html`<li><a href="${href}"${id === section && html` aria-current="page"`}>${name}</a></li>`)}
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
