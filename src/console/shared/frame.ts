import { type Html, html } from '../../http/html/html.ts'
import type { Chrome } from './chrome/chrome.ts'
import { header } from './chrome/header.ts'
import { menu } from './chrome/menu.ts'
import type { Link } from './elements.ts'

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

/** Puts the menu and the header around `content`, which brings its own landmarks. */
export function frame(chrome: Chrome, section: string, content: Html): Html {
  return html`<a class="skip" href="#content">Skip to content</a>
<div class="frame"${chrome.needsZone && html` data-needs-zone`}>
${menu(chrome, section)}
<div class="stage">
${header(chrome)}
${content}
</div>
</div>`
}
