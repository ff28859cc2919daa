import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { codeBlock } from '../../shared/elements.ts'

/** A first sign-in by hand, before there is a program: for an app that people can sign in to. */
export function tryCard(app: App): Html | undefined {
  const uri = app.RedirectUris[0]?.Uri
  if (!app.IsActive || uri === undefined) return undefined
  return html`<section class="card app-try" id="try"><h2>Try it</h2>${app.Flow === 'PKCE' ? withLibrary : byHand(app, uri)}</section>`
}

const withLibrary = html`<p>A sign-in of a PKCE app begins with a code challenge that is new every time, so no address can be ready made. Give the app object to a client library: it makes the challenge, opens the sign-in, and exchanges the code.</p>`

function byHand(app: App, uri: string): Html {
  const address = signInAddress(app, uri)
  const [what, begin] = app.Flow === 'Code' ? ['code', 'code='] : ['token', '#access_token=']
  return html`<ol class="app-steps"><li><p><a href="${address}" target="_blank" rel="noopener">Sign in to <bdi>${app.Name}</bdi></a> <span class="small quiet">opens a new tab</span></p>${codeBlock(address, 'the sign-in address')}</li>
<li><p>You are sent to <code>${uri}</code>. Where nothing listens there yet, the browser shows an error, which is fine: the ${what} is in its address bar, after <code>${begin}</code></p></li>
${app.Flow === 'Code' && html`<li><p>Exchange it for a token, with the code in <code>CODE</code> and the app’s secret in <code>SECRET</code>. A code works once, and by default for a minute.</p>${codeBlock(tokenCall(app, uri), 'the token call')}</li>`}</ol>`
}

export function signInAddress({ AppKey, Flow, Endpoints }: App, redirect_uri: string): string {
  const response_type = Flow === 'Implicit' ? 'token' : 'code'
  const query = new URLSearchParams({ response_type, client_id: AppKey, redirect_uri, state: 'hello' })
  return `${Endpoints.AuthorizationEndpoint}?${query}`
}

/** The address is form-encoded, so that it holds nothing that a shell would act on. */
export function tokenCall({ AppKey, Endpoints }: App, redirect_uri: string): string {
  return `curl -u "${AppKey}:$SECRET" "${Endpoints.TokenEndpoint}" \\
  -d grant_type=authorization_code -d "code=$CODE" \\
  -d "${new URLSearchParams({ redirect_uri })}"`
}
