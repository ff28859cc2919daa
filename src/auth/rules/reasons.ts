import type { Section } from '../../core/explain/sections.ts'

/** Why a request was rejected, and what to send instead (§11.9). */
export type Refusal = Readonly<{ section: Section; text: string; advice: string }>

const again = 'Start a new sign-in.'
const atClient = (text: string, advice: string): Refusal => ({ section: '§4.7', text, advice })
const atCode = (text: string, advice: string): Refusal => ({ section: '§4.4', text, advice: `${advice} ${again}` })
const atRefresh = (text: string, advice: string): Refusal => ({ section: '§4.5', text, advice })

/** For the logs only: callers get one text for all. */
export const reasons = {
  noCredentials: atClient(
    'no readable credentials',
    'Send key and secret of the app by HTTP Basic, or as client_id and client_secret. An app without a secret sends client_id only.',
  ),
  unknownApp: atClient('no such app', 'Send the AppKey of an app of this service. Sim and live have different keys.'),
  inactiveApp: atClient('the app is inactive', 'Set IsActive of the app to true, or send the AppKey of an active one.'),
  unexpectedSecret: atClient(
    'a secret was sent, but an app of the PKCE or Implicit flow has none',
    'Send client_id without a secret.',
  ),
  missingSecret: atClient('the secret is missing', 'Send a secret of the app that is valid now.'),
  wrongSecret: atClient(
    'the secret is wrong, or not valid now',
    'Send a secret of the app that is valid now. The list of its secrets has the times of each.',
  ),
  manySecrets: {
    section: '§4.10',
    text: 'too many wrong secrets',
    advice: 'Wait for as many seconds as Retry-After says, then send the right secret.',
  },
  unknownCode: atCode('no such code', 'Send the code of the redirect, decoded once and otherwise unchanged.'),
  spentCode: atCode('the code was used before', 'Exchange a code once, then use its refresh token.'),
  foreignCode: atCode('the code belongs to another app', 'Exchange a code with the app that asked for it.'),
  expiredCode: atCode('the code has expired', 'Exchange a code within 60 seconds.'),
  futureCode: atCode('the code is from the future', 'The clock of the service was set back, so the code is not valid.'),
  otherRedirectUri: atCode(
    'redirect_uri differs from that of the sign-in',
    'Send the redirect_uri to /token that was sent to /authorize. The code is spent.',
  ),
  wrongVerifier: atCode(
    'code_verifier is missing, wrong, or unexpected',
    'Send the code_verifier that code_challenge was made from, and none if no code_challenge was sent. The code is spent.',
  ),
  otherResource: atCode(
    'resource differs from that of the sign-in',
    'Send the resource to /token that was sent to /authorize, or leave it out. The code is spent.',
  ),
  endedGrant: atCode(
    'the user signed out, is disabled or withdrew consent, or the app lost its grants or the redirect URI',
    'The app must be active and keep the redirect URI until the code is exchanged.',
  ),
  unknownRefresh: atRefresh('no such refresh token', `Send the refresh_token of the latest response. ${again}`),
  foreignRefresh: atRefresh(
    'the refresh token belongs to another app',
    'Refresh with the app that the token was given to.',
  ),
  endedSession: atRefresh('the session of the refresh token has ended', again),
  futureRefresh: atRefresh(
    'the refresh token is from the future',
    `The clock of the service was set back, so the token is not valid now. ${again}`,
  ),
  expiredRefresh: atRefresh(
    'the refresh token has expired',
    `Refresh within as many seconds as refresh_token_expires_in says. ${again}`,
  ),
  otherSession: atRefresh(
    'redirect_uri or code_verifier differs from that of the sign-in',
    'Leave them out, or send those of the sign-in.',
  ),
  sessionResource: atRefresh(
    'resource differs from that of the session',
    'Leave resource out, or send that of the sign-in. The refresh token is not spent.',
  ),
  spentRefresh: atRefresh(
    'the refresh token was used before; its session has ended',
    `Every refresh returns a new refresh token: keep it and send it next time. ${again}`,
  ),
} as const satisfies Record<string, Refusal>

const byText: ReadonlyMap<string, Refusal> = new Map(Object.values(reasons).map((each) => [each.text, each]))

type Advice = Readonly<{ section?: Section; advice: string }>

/** What to do about an error whose text says everything else. Without a section, the endpoint has one. */
const byCode: Readonly<Record<string, Advice>> = {
  wrong: { section: '§4.3', advice: 'Sign in with the name and the password of an enabled user.' },
  tooMany: { section: '§4.10', advice: 'Wait for five minutes, then sign in with the right password.' },
  stale: { section: '§4.3', advice: 'Open /authorize again, in the browser that sends the form.' },
  access_denied: { section: '§4.8', advice: 'Open /authorize again if the user wants to sign in.' },
  login_required: { section: '§4.8', advice: 'Open /authorize without prompt=none, so that the user can sign in.' },
  consent_required: { section: '§4.8', advice: 'Open /authorize without prompt=none, so that the user can consent.' },
  unsupported_response_type: {
    section: '§4.8',
    advice: 'Send response_type=code, or token for an app of the Implicit flow.',
  },
  unsupported_grant_type: { section: '§4.9', advice: 'Send grant_type=authorization_code or refresh_token.' },
  invalid_target: { advice: 'Leave resource out for a token of the REST API, or send the address of /mcp.' },
  unauthorized_client: { advice: 'Use the Flow of the app, or an app with another Flow.' },
  invalid_request: { advice: 'Correct what the reason names.' },
  temporarily_unavailable: { advice: 'Send the request again shortly.' },
  server_error: { advice: 'Send the request again shortly.' },
}

/** A rejection of the authorization server by the code and text in the request log; undefined if it is none. */
export function findRefusal(path: string, code: string, text: string): Refusal | undefined {
  const own = byCode[code]
  return byText.get(text) ?? (own && { section: sectionOf(path), ...own, text })
}

function sectionOf(path: string): Section {
  if (/^\/(?:authorize|login)\b/.test(path)) return '§4.8'
  return path.startsWith('/token') ? '§4.9' : '§4.11'
}
