import { type Html, html } from '../../../http/html/html.ts'
import { mark } from '../../../http/html/layout.ts'
import type { Chrome } from './chrome.ts'

export type Section = Readonly<{ name: string; href: string; icon: string }>

const home: Section = { name: 'Home', href: '/', icon: 'M2 7l6-5 6 5v7H2z' }

/** The menu. An icon is a path of 16 by 16, drawn as a line. */
const groups: readonly Readonly<{ title: string; sections: readonly Section[] }>[] = [
  {
    title: 'Data',
    sections: [
      { name: 'Instruments', href: '/console/instruments', icon: 'M2 12l4-5 3 3 5-7' },
      {
        name: 'Exchanges',
        href: '/console/exchanges',
        icon: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
      },
      { name: 'Corporate actions', href: '/console/events', icon: 'M2 4h12v10H2zM2 7h12M5 2v3M11 2v3' },
    ],
  },
  {
    title: 'Build',
    sections: [
      { name: 'Apps', href: '/console/apps', icon: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z' },
      { name: 'API', href: '/console/api', icon: 'M5 4L1 8l4 4M11 4l4 4-4 4' },
      { name: 'Docs', href: '/console/docs', icon: 'M3 2h7l3 3v9H3zM10 2v3h3M5 8h6M5 11h6' },
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
      { name: 'Clock', href: '/console/sim', icon: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3l2 2' },
      { name: 'Faults', href: '/console/sim/faults', icon: 'M9 1L3 9h4l-1 6 7-9H8z' },
      { name: 'Scenarios', href: '/console/sim/scenarios', icon: 'M3 2h10v12l-5-3-5 3z' },
      {
        name: 'Snapshots',
        href: '/console/sim/snapshots',
        icon: 'M2 5h3l1-2h4l1 2h3v8H2zM8 6.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
      },
    ],
  },
  {
    title: 'Operate',
    sections: [
      {
        name: 'Users and rights',
        href: '/console/operators/users',
        icon: 'M2 2h12v12H2zM2 6h12M2 10h12M7 2v12M4 4h1M10 8h1',
      },
      { name: 'Import', href: '/console/operators/import', icon: 'M8 2v8M5 7l3 3 3-3M2 11v3h12v-3' },
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

type Shown = Pick<Chrome, 'environment' | 'hasRequestLog' | 'isOperator'>

const shownGroups = ({ environment, hasRequestLog, isOperator }: Shown) =>
  groups
    .filter(({ title }) => title !== 'Simulate' || environment === 'sim')
    .filter(({ title }) => title !== 'Operate' || isOperator)
    .map(({ title, sections }) => ({
      title,
      sections: sections.filter(({ href }) => href !== '/console/requests' || hasRequestLog),
    }))

/** The pages in the menu, for the command palette. */
export const menuPages = (shown: Shown): readonly Section[] => [
  home,
  ...shownGroups(shown).flatMap(({ sections }) => sections),
]

const builtEntries = new Map<string, Html>()

/** Built once for each kind of user and each section. */
function entriesFor(shown: Shown, section: string): Html {
  const key = `${shown.environment} ${shown.hasRequestLog} ${shown.isOperator} ${section}`
  const built = builtEntries.get(key) ?? entries(shown, section)
  builtEntries.set(key, built)
  return built
}

function entries(shown: Shown, section: string): Html {
  const entry = ({ name, href, icon }: Section) =>
    html`<li><a href="${href}"${href === section && html` aria-current="page"`}><svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${icon}"/></svg>${name}</a></li>`
  return html`<ul>${entry(home)}</ul>
${shownGroups(shown).map(({ title, sections }) => html`<p class="nav-title" id="nav-${title}">${title}</p><ul aria-labelledby="nav-${title}">${sections.map(entry)}</ul>`)}`
}

/** Folded on a phone only; elsewhere the style sheet shows what is in it. */
export function menu(chrome: Chrome, section: string): Html {
  const { environment } = chrome
  return html`<header class="side">
<div class="row between"><a class="brand" href="/">${mark}refdesk</a>
<span class="env ${environment}"><span class="unseen">Environment: </span>${environment}</span></div>
<details class="menu"><summary>Menu</summary>
<nav aria-label="Main">${entriesFor(chrome, section)}
${switcher(chrome)}</nav></details>
${user(chrome)}
</header>`
}

function user({ user, next }: Chrome): Html {
  if (!user) return html`<p class="who"><a href="/console/login?next=${encodeURIComponent(next)}">Sign in</a></p>`
  return html`<form class="who" method="post" action="/console/logout">${user.formToken}
<span class="avatar" aria-hidden="true">${[...user.name][0]?.toUpperCase()}</span>
<span><span class="unseen">Signed in as</span> <strong><bdi>${user.name}</bdi></strong></span>
<button class="link">Sign out</button></form>`
}

/** Another demo user in one click. */
function switcher({ user, demoUsers, next }: Chrome): Html | undefined {
  if (!user || demoUsers.length === 0) return undefined
  const button = (name: string) =>
    html`<button class="switch" name="demo_user" value="${name}"${name === user.name && html` aria-current="true"`}>${name}</button>`
  return html`<form class="switcher" method="post" action="/console/switch" aria-label="Switch user">${user.formToken}
<input type="hidden" name="next" value="${next}">
<p class="nav-title">Switch user</p><div>${demoUsers.map(button)}</div></form>`
}
