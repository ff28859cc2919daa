import { type Html, html } from '../../http/html/html.ts'
import { cardPage } from '../../http/html/layout.ts'
import type { PageContext } from './signed-out.ts'
import type { Texts } from './texts/en.ts'
import { texts } from './texts.ts'

/** Why a user sees an error page instead of a redirect (§4.8), or one of the general errors. */
export type ErrorCause = keyof Texts['errors']

type ErrorText = { title: string; sentence: string; advice: string; developers?: string }

/** Shows nothing from the request and no links: its redirect URI is not trusted. */
export function errorPage(props: ErrorText & PageContext & { requestId: string }): Html {
  const { environment, lang, travel, title, sentence, advice, developers, requestId } = props
  const t = texts[lang].errorPage
  return cardPage({
    environment,
    lang,
    travel,
    title,
    body: html`<div class="stack">
<h1>${title}</h1>
<p>${sentence}</p>
<p>${advice}</p>
<dl class="facts stacked sunken">
${developers && html`<dt>${t.developers}</dt><dd>${developers}</dd>`}
<dt>${t.requestId}</dt><dd><code>${requestId}</code></dd>
</dl>
</div>`,
  })
}
