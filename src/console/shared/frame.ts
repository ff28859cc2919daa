import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import { type ClockState, mark, travelBanner } from '../../http/html/layout.ts'
import type { Link } from './elements.ts'

type Section = Readonly<{ name: string; href: string; icon: string }>

const home: Section = { name: 'Home', href: '/', icon: 'M2 7l6-5 6 5v7H2z' }

/** The menu. An icon is a path of 16 by 16, drawn as a line. */
const groups: readonly Readonly<{ title: string; sections: readonly Section[] }>[] = [
  {
    title: 'Data',
    sections: [
      { name: 'Instruments', href: '/console/instruments', icon: 'M2 12l4-5 3 3 5-7' },
      { name: 'Corporate actions', href: '/console/events', icon: 'M2 4h12v10H2zM2 7h12M5 2v3M11 2v3' },
    ],
  },
  {
    title: 'Build',
    sections: [
      { name: 'Apps', href: '/console/apps', icon: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z' },
      { name: 'API', href: '/console/api', icon: 'M5 4L1 8l4 4M11 4l4 4-4 4' },
      { name: 'Request log', href: '/console/requests', icon: 'M2 4h12M2 8h12M2 12h8' },
      {
        name: 'Sessions',
        href: '/console/sessions',
        icon: 'M6 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM1 14c0-3 2-5 5-5s5 2 5 5M11 4a3 3 0 0 1 0 5',
      },
    ],
  },
  {
    title: 'Simulate',
    sections: [
      { name: 'Clock and faults', href: '/console/sim', icon: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3l2 2' },
      { name: 'Scenarios', href: '/console/sim/scenarios', icon: 'M3 2h10v12l-5-3-5 3z' },
      {
        name: 'Snapshots',
        href: '/console/sim/snapshots',
        icon: 'M2 5h3l1-2h4l1 2h3v8H2zM8 6.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
      },
    ],
  },
]
const sections = groups.flatMap((group) => group.sections)

/** The menu entry of a page. Option chains, futures curves and trading hours belong to the instruments. */
export function sectionOf(url: string): string {
  const path = url.toLowerCase()
  if (/^\/console\/(options|futures|schedule)\//.test(path)) return '/console/instruments'
  return sections.findLast(({ href }) => path.startsWith(href))?.href ?? '/'
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

/** Folded on a phone only; elsewhere the style sheet shows what is in it. */
function menu({ environment, hasRequestLog, user, next }: Chrome, section: string): Html {
  const isShown = ({ href }: Section) => href !== '/console/requests' || hasRequestLog
  const shown = groups.filter(({ title }) => title !== 'Simulate' || environment === 'sim')
  const entry = ({ name, href, icon }: Section) =>
    html`<li><a href="${href}"${href === section && html` aria-current="page"`}><svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${icon}"/></svg>${name}</a></li>`
  return html`<header class="side">
<div class="row between"><a class="brand" href="/">${mark}refdesk</a>
<span class="env ${environment}"><span class="unseen">Environment: </span>${environment}</span></div>
<details class="menu"><summary>Menu</summary>
<nav aria-label="Main"><ul>${entry(home)}</ul>
${shown.map(({ title, sections }) => html`<p class="nav-title" id="nav-${title}">${title}</p><ul aria-labelledby="nav-${title}">${sections.filter(isShown).map(entry)}</ul>`)}
</nav></details>
${
  user
    ? html`<form class="who" method="post" action="/console/logout">${user.formToken}
<span><span class="quiet wide-only">Signed in as</span> <strong><bdi>${user.name}</bdi></strong></span>
<button class="link">Sign out</button></form>`
    : html`<p class="who"><a href="/console/login?next=${encodeURIComponent(next)}">Sign in</a></p>`
}
</header>`
}
