import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import { type ClockState, cardPage } from '../../http/html/layout.ts'
import { named } from './named.ts'
import { type Language, texts } from './texts.ts'

export type PageContext = { environment: Environment; lang: Language; travel?: ClockState | undefined }

/** Asks for confirmation: a link on another site must not sign users out. */
export function signOutPage({
  environment,
  lang,
  travel,
  userName,
  formToken,
}: PageContext & { userName: string; formToken: string }): Html {
  const t = texts[lang].signOut
  return cardPage({
    environment,
    lang,
    travel,
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

export function signedOutPage({ environment, lang, travel }: PageContext): Html {
  const t = texts[lang].signOut
  return cardPage({
    environment,
    lang,
    travel,
    title: t.doneHeading,
    body: html`<div class="stack">
<h1>${t.doneHeading}</h1>
<p>${t.doneSentence}</p>
<p><a href="/">${t.home}</a></p>
</div>`,
  })
}
