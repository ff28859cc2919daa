import { type Html, html } from '../../http/html/html.ts'
import { cardPage } from '../../http/html/layout.ts'
import type { PageFrame } from './frame.ts'
import type { Texts } from './texts/en.ts'
import { texts } from './texts.ts'

/** Why a user sees an error page instead of a redirect (§4.8), or one of the general errors. */
export type ErrorCause = keyof Texts['errors']

/** Shows nothing from the request and no links: its redirect URI is not trusted. */
export function errorPage(frame: PageFrame, cause: ErrorCause, requestId: string): Html {
  const { errorPage: t, errors } = texts[frame.lang]
  const { title, sentence, advice, developers } = errors[cause]
  return cardPage({
    ...frame,
    title,
    body: html`<div class="stack">
<h1>${title}</h1>
<p>${sentence}</p>
<p>${advice}</p>
<dl class="facts stacked sunken">
<dt>${t.developers}</dt><dd>${developers}</dd>
<dt>${t.requestId}</dt><dd><code>${requestId}</code></dd>
</dl>
</div>`,
  })
}
