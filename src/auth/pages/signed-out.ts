import { type Html, html } from '../../http/html/html.ts'
import { cardPage } from '../../http/html/layout.ts'
import { named, type PageFrame } from './frame.ts'
import { texts } from './texts.ts'

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
