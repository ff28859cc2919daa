import type { Environment } from '../../core/environment.ts'
import { type Html, html, raw } from '../../http/html/html.ts'
import { type ClockState, cardPage } from '../../http/html/layout.ts'
import type { DemoUsers } from '../context.ts'
import type { Texts } from './texts/en.ts'
import { type Language, texts } from './texts.ts'

export type SignInProblem = 'wrong' | 'tooMany' | 'stale' | 'busy'

export type SignInProps = {
  environment: Environment
  lang: Language
  travel?: ClockState | undefined
  appName: string
  mayWrite: boolean
  /** Where the browser goes afterwards, as a person reads it: `localhost:5000`. */
  destination: string
  /** Where the form posts to; it carries the authorization request. */
  action: string
  formToken: string
  userName?: string | undefined
  problem?: SignInProblem | undefined
  retryAfterSeconds?: number | undefined
  /** Somebody is signed in already: asks to allow the app, without a password. */
  signedInAs?: string | undefined
  cancelable: boolean
  demo?: DemoUsers | undefined
}

type SignInTexts = Texts['signIn']

/** One page signs in and asks to allow the app by name (contract §4). It posts `decision`: allow, cancel or switch. */
export function signInPage(props: SignInProps): Html {
  const { environment, lang, travel, appName, signedInAs } = props
  const t = texts[lang].signIn
  const heading = signedInAs === undefined ? t.heading : t.headingSignedIn
  const problem = problemText(props, t)
  return cardPage({
    environment,
    lang,
    travel,
    title: html`${problem && `${texts[lang].error}: `}${heading(appName)}`,
    body: html`<form method="post" action="${props.action}" class="stack">
<input type="hidden" name="form_token" value="${props.formToken}">
<h1>${heading(named(appName))}</h1>
${problem && html`<p class="notice ${isWrong(props) ? 'bad' : 'warn'}" id="problem" role="alert">${problem}</p>`}
${facts(props, t)}
${signedInAs === undefined ? credentials(props, t) : identity(signedInAs, t)}
${decisions(props, t)}
<p class="small quiet">${t.withdraw}</p>
</form>`,
  })
}

/** A name that somebody chose: kept apart, so that right-to-left marks in it cannot turn our own words around. */
export function named(name: string): Html {
  return html`<bdi>${name}</bdi>`
}

/** Too many attempts read like a wrong password, to the letter: the status and Retry-After tell machines (contract §4). */
const isWrong = ({ problem }: SignInProps): boolean => problem === 'wrong' || problem === 'tooMany'

function problemText(props: SignInProps, t: SignInTexts): string | undefined {
  if (isWrong(props)) return t.wrong
  if (props.problem === 'stale') return t.stale
  if (props.problem === 'busy') return t.busy(props.retryAfterSeconds ?? 5)
  return undefined
}

/** What is being allowed, said before the button that allows it. */
function facts({ mayWrite, destination }: SignInProps, t: SignInTexts): Html {
  return html`<dl class="facts sunken">
<dt>${t.access}</dt>
<dd><strong>${mayWrite ? t.readAndChange : t.readOnly}</strong><br><span class="quiet">${mayWrite ? t.readAndChangeMeans : t.readOnlyMeans}</span></dd>
<dt>${t.returnsTo}</dt>
<dd><code>${destination}</code></dd>
</dl>`
}

/** The first empty field has the focus; a fault is read out with the field, as an alert that was there at load may not be. */
function credentials(props: SignInProps, t: SignInTexts): Html {
  const userName = props.userName ?? ''
  const fault = raw(
    `${props.problem ? ' aria-describedby="problem"' : ''}${isWrong(props) ? ' aria-invalid="true"' : ''}`,
  )
  const focus = raw(' autofocus')
  return html`<div class="field">
<label for="user">${t.user}</label>
<input id="user" name="user" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false" required value="${userName}"${fault}${userName === '' && focus}>
</div>
<div class="field">
<label for="password">${t.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${fault}${userName !== '' && focus}>
</div>
${props.demo && html`<p class="small quiet">${t.demo(anyOf(props.demo.users, t.or), html`<code>${props.demo.password}</code>`)}</p>`}`
}

/** `ada, bo or cy` */
function anyOf(users: readonly string[], or: string): Html[] {
  const before = (index: number) => index > 0 && (index === users.length - 1 ? ` ${or} ` : ', ')
  return users.map((user, index) => html`${before(index)}<code>${user}</code>`)
}

function identity(userName: string, t: SignInTexts): Html {
  return html`<div class="identity">
<span class="initial" aria-hidden="true">${[...userName][0]?.toUpperCase()}</span>
<p><span class="small quiet">${t.signedInAs}</span><br><strong>${named(userName)}</strong></p>
<button class="link" name="decision" value="switch" formnovalidate>${t.switchUser}</button>
</div>`
}

/** Allow comes first, because Enter in a field presses the first button. Cancel must work with empty fields. */
function decisions({ appName, signedInAs, cancelable }: SignInProps, t: SignInTexts): Html {
  const allow = signedInAs === undefined ? t.allow(named(appName)) : t.allowAs(named(signedInAs))
  return html`<div class="decisions">
<button class="button" name="decision" value="allow"><span class="clamp">${allow}</span></button>
${cancelable && html`<button class="button plain" name="decision" value="cancel" formnovalidate>${t.cancel}</button>`}
</div>`
}
