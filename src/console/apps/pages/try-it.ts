import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { codeBlock } from '../../shared/elements.ts'

/** A first sign-in without writing a program. Undefined if users cannot sign in to the app. */
export function tryCard(app: App): Html | undefined {
  const uri = app.RedirectUris[0]?.Uri
  if (!app.IsActive || uri === undefined) return undefined
  return html`<section class="card app-try" id="try"><h2>Try it</h2>${app.Flow === 'PKCE' ? pkceHint : manualSteps(app, uri)}</section>`
}

const pkceHint = html`<p>Every PKCE sign-in starts with a new code challenge, so there is no fixed URL to try. Give the app object to a client library: it creates the challenge, opens the sign-in page and exchanges the code.</p>`

function manualSteps(app: App, uri: string): Html {
  const url = signInUrl(app, uri)
  const [what, prefix] = app.Flow === 'Code' ? ['code', 'code='] : ['token', '#access_token=']
  return html`<ol class="app-steps"><li><p><a href="${url}" target="_blank" rel="noopener">Sign in to <bdi>${app.Name}</bdi></a> <span class="small quiet">opens a new tab</span></p>${codeBlock(url, 'the sign-in URL')}</li>
<li><p>The browser is redirected to <code>${uri}</code>. If nothing listens there yet, it shows an error; that is fine. The ${what} is in the address bar, after <code>${prefix}</code></p></li>
${app.Flow === 'Code' && html`<li><p>Exchange it for a token, with the code in <code>CODE</code> and the app’s secret in <code>SECRET</code>. A code works once and expires after one minute by default.</p>${codeBlock(tokenCall(app, uri), 'the token request')}</li>`}</ol>`
}

export function signInUrl({ AppKey, Flow, Endpoints }: App, redirect_uri: string): string {
  const response_type = Flow === 'Implicit' ? 'token' : 'code'
  const query = new URLSearchParams({ response_type, client_id: AppKey, redirect_uri, state: 'hello' })
  return `${Endpoints.AuthorizationEndpoint}?${query}`
}

/** The URI is form-encoded, so it contains nothing that a shell would interpret. */
export function tokenCall({ AppKey, Endpoints }: App, redirect_uri: string): string {
  return `curl -u "${AppKey}:$SECRET" "${Endpoints.TokenEndpoint}" \\
  -d grant_type=authorization_code -d "code=$CODE" \\
  -d "${new URLSearchParams({ redirect_uri })}"`
}
