import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import type { DemoInfo } from '../shared/dependencies.ts'
import { notice } from '../shared/elements.ts'

const signOutNotices = new Map([
  ['everywhere', 'You are signed out of every app, browser and script.'],
  ['revoked', 'You revoked access for this console and are signed out. It will ask for consent again.'],
  [
    'restored',
    'The snapshot was restored. You are signed out, because your session began or was renewed after it was saved.',
  ],
])

export type PitchProps = Readonly<{
  environment: Environment
  isReady: boolean
  demo: DemoInfo | undefined
  /** For one click as a demo user; undefined at a host name other than that of the service, whose cookies count. */
  formToken: Html | undefined
  /** Why the user was signed out. */
  done: string | undefined
}>

/** What the service is, and one button. */
export function pitch({ environment, isReady, demo, formToken, done }: PitchProps): Html {
  const signOutNotice = signOutNotices.get(done ?? '')
  return html`${signOutNotice && notice('good', signOutNotice)}
${!isReady && notice('warn', 'The service is not ready: its database is unavailable, or it is shutting down.')}
<p class="lead">OAuth 2.0 sign-in, instrument reference data, corporate actions and app management in one self-hosted service. ${environment === 'sim' && 'This is the simulation environment: no real money is involved.'}</p>
<section class="welcome"><h2 class="unseen">Sign in to explore</h2>${demo && formToken ? demoButton(demo, formToken) : signInButton}</section>
<ul class="pitch">
<li><strong>Reference data</strong> Instruments, option chains, trading hours and holidays, as your apps read them.</li>
<li><strong>Corporate actions</strong> What is announced, what needs a decision and by when.</li>
<li><strong>Apps and tokens</strong> Keys, secrets and sign-in flows that client libraries know.</li>
${environment === 'sim' && html`<li><strong>Simulation</strong> Travel in time, inject faults, load scenarios, and start again.</li>`}
</ul>`
}

const signInButton = html`<a class="button" href="/console/login?next=%2F">Sign in</a>
<p class="small quiet">Use the account you were given. You see the same data as your apps: the console has no rights of its own.</p>`

function demoButton({ users: [first = '', ...others], password }: DemoInfo, formToken: Html): Html {
  const names = others.map((user) => html` <code class="chip">${user}</code>`)
  return html`<form method="post" action="/console/switch">${formToken}<input type="hidden" name="next" value="/"><button class="button" name="demo_user" value="${first}">Continue as ${first}</button></form>
<p class="small quiet">A demo user with holdings. Or <a href="/console/login?next=%2F">sign in</a> as <code class="chip">${first}</code>${names} with the password <code class="chip">${password}</code>.</p>`
}
