import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import { type ClockState, cardPage } from '../../http/html/layout.ts'
import type { Texts } from './texts/en.ts'
import { type Language, texts } from './texts.ts'

/** What every page shows: the environment, the language of the user, and the time if it is not the real one. */
export type PageFrame = { environment: Environment; lang: Language; travel?: ClockState | undefined }

/** A name chosen by a user, isolated so that right-to-left marks in it cannot reorder our own text. */
export const named = (name: string): Html => html`<bdi>${name}</bdi>`

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

/** Asks for confirmation: a link on another site must not sign users out. */
export function signOutPage(frame: PageFrame, userName: string, formToken: string): Html {
  const t = texts[frame.lang].signOut
  return cardPage({
    ...frame,
    title: t.heading,
    body: html`<form method="post" action="/logout" class="stack">
<input type="hidden" name="form_token" value="${formToken}">
<h1>${t.heading}</h1>
<p>${t.sentence(html`<strong>${named(userName)}</strong>`)}</p>
<div class="decisions">
<button class="button">${t.confirm}</button>
<a class="button plain" href="/">${t.stay}</a>
</div>
</form>`,
  })
}

export function signedOutPage(frame: PageFrame): Html {
  const t = texts[frame.lang].signOut
  return cardPage({
    ...frame,
    title: t.doneHeading,
    body: html`<div class="stack">
<h1>${t.doneHeading}</h1>
<p>${t.doneSentence}</p>
<p><a href="/">${t.home}</a></p>
</div>`,
  })
}
