import { type Html, html } from '../../http/html/html.ts'
import { cardPage } from '../../http/html/layout.ts'
import type { Place } from './signed-out.ts'
import type { Texts } from './texts/en.ts'
import { type Language, texts } from './texts.ts'

/** Why a person sees an error page instead of being redirected (contract §4), and the three that any page may meet. */
export type ErrorCause = keyof Texts['errors']

export type ErrorText = { title: string; sentence: string; advice: string; developers?: string }

export const authorizeErrorTexts: Record<Language, Record<ErrorCause, ErrorText>> = {
  en: texts.en.errors,
  de: texts.de.errors,
  da: texts.da.errors,
}

/** Shows nothing that came with the request and nothing to click: its address is not trusted. */
export function errorPage(props: ErrorText & Place & { requestId: string }): Html {
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
