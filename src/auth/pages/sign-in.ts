import type { Config } from '../../config.ts'
import { type Permission, type PermissionRow, permissions } from '../../core/rights/permissions.ts'
import { type Html, html, raw } from '../../http/html/html.ts'
import { cardPage } from '../../http/html/layout.ts'
import type { DemoUsers } from '../context.ts'
import { named, type PageFrame } from './messages.ts'
import type { Texts } from './texts/en.ts'
import { texts } from './texts.ts'

export type SignInProblem = 'wrong' | 'tooMany' | 'stale'

export type SignInProps = PageFrame & {
  appName: string
  permissions: readonly Permission[]
  simControls: Config['simControls']
  /** The host that the browser returns to, such as `localhost:5000`. */
  destination: string
  /** The target of the form; its query is the authorization request. */
  action: string
  formToken: string
  userName?: string | undefined
  problem?: SignInProblem | undefined
  /** If set, the page asks for consent without a password. */
  signedInAs?: string | undefined
  demo?: DemoUsers | undefined
}

type SignInTexts = Texts['signIn']

/** Sign-in and consent on one page (§4.3). It posts `decision`: allow, cancel or switch. */
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

/** Too many attempts show the same text as a wrong password; only the status and Retry-After differ (§4.10). */
const isWrong = ({ problem }: SignInProps): boolean => problem === 'wrong' || problem === 'tooMany'

const problemText = (props: SignInProps, t: SignInTexts): string | undefined =>
  isWrong(props) ? t.wrong : props.problem && t.stale

/** Every permission, in phrases that continue "It can": those of some users are named together, after who they are. */
function permissionPhrases({ permissions: granted, simControls }: SignInProps, t: SignInTexts): string[] {
  const phrases = (isShown: (row: PermissionRow) => boolean) =>
    granted.filter((name) => isShown(permissions[name])).map((name) => t.permissions[name])
  const joined = (text: (list: string) => string, list: string[]) => (list.length > 0 ? [text(list.join(', '))] : [])
  const isOfEveryone = ({ users }: PermissionRow) => users === 'controllers' && simControls === 'everyone'
  return [
    ...joined(
      t.reads,
      phrases(({ users, level }) => !users && level === 'Read'),
    ),
    ...phrases(({ users, level }) => !users && level === 'Trade'),
    ...joined(t.ofEveryUser, phrases(isOfEveryone)),
    ...joined(
      t.ofOperators,
      phrases((row) => row.users !== undefined && !isOfEveryone(row)),
    ),
  ]
}

function facts(props: SignInProps, t: SignInTexts): Html {
  const mayChange = props.permissions.some((name) => permissions[name].level === 'Trade')
  return html`<dl class="facts stacked sunken">
<dt>${t.access}</dt>
<dd><strong>${mayChange ? t.readAndChange : t.readOnly}</strong>
<p class="quiet">${t.can}</p>
<ul class="permissions">${permissionPhrases(props, t).map((phrase) => html`<li>${phrase}</li>`)}</ul>
${!mayChange && html`<p class="quiet">${t.cannotChange}</p>`}</dd>
<dt>${t.returnsTo}</dt>
<dd><code>${props.destination}</code></dd>
</dl>`
}

/** Focuses the first empty field. The error is linked to the fields, because screen readers may skip an alert that is present
 *  at load. */
function credentials(props: SignInProps, t: SignInTexts): Html {
  const userName = props.userName ?? ''
  const error = raw(
    `${props.problem ? ' aria-describedby="problem"' : ''}${isWrong(props) ? ' aria-invalid="true"' : ''}`,
  )
  const focus = raw(' autofocus')
  return html`<div class="field">
<label for="user">${t.user}</label>
<input id="user" name="user" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false" required value="${userName}"${error}${userName === '' && focus}>
</div>
<div class="field">
<label for="password">${t.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${error}${userName !== '' && focus}>
</div>
${props.demo && html`<p class="small quiet">${t.demo(anyOf(props.demo.users, t.or), html`<code>${props.demo.password}</code>`)}</p>`}`
}

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
function decisions({ appName, signedInAs }: SignInProps, t: SignInTexts): Html {
  const allow = signedInAs === undefined ? t.allow(named(appName)) : t.allowAs(named(signedInAs))
  return html`<div class="decisions">
<button class="button" name="decision" value="allow"><span class="clamp">${allow}</span></button>
<button class="button plain" name="decision" value="cancel" formnovalidate>${t.cancel}</button>
</div>`
}
