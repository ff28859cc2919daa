import type { Flow } from '../../core/app.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { OAuthError } from '../problem.ts'
import { type Challenge, readChallenge } from './pkce.ts'
import { type Resource, type Resources, readResource } from './resource.ts'

export type Params = Readonly<Record<string, readonly string[] | undefined>>
export type RequestingApp = Readonly<{ flow: Flow; isActive: boolean }>

/** Errors that must not be redirected, because the address is not trusted yet. They have a page each. */
type PageCause = 'unknownApp' | 'inactiveApp' | 'repeatedParameter' | 'redirectUriMissing' | 'redirectUriUnregistered'

export type AuthorizationRequest = Readonly<{
  redirectUri: string
  responseType: 'code' | 'token'
  state: string | undefined
  challenge: Challenge | null
  resource: Resource
  prompt: 'none' | 'login' | 'consent' | undefined
}>

export type ReturnTarget = Readonly<{ redirectUri: string; inFragment: boolean; state: string | undefined }>
type RedirectError = ReturnTarget & Readonly<{ error: OAuthError; description: string }>

export type ParsedRequest =
  | { kind: 'page'; cause: PageCause }
  | ({ kind: 'redirect' } & RedirectError)
  | { kind: 'request'; request: AuthorizationRequest }

export const maxStateLength = 2_048

/** The app that an authorization request names, if it names one; read before anything else is trusted. */
export const requestedAppKey = ({ client_id: keys }: Params): string | undefined =>
  keys?.length === 1 ? keys[0] : undefined

/** Parses an authorization request (§4.3, §4.8). Nothing is redirected before the address is trusted (RFC 6749 §4.1.2.1);
 *  after that every error goes to the app, in the query for code, in the fragment for token. */
export function readAuthorizationRequest(
  params: Params,
  app: RequestingApp | undefined,
  isRegisteredUri: (uri: string) => boolean,
  profile: WireProfile,
  resources: Resources,
): ParsedRequest {
  if ((params.client_id?.length ?? 0) > 1) return { kind: 'page', cause: 'repeatedParameter' }
  if (!app) return { kind: 'page', cause: 'unknownApp' }
  if (!app.isActive) return { kind: 'page', cause: 'inactiveApp' }
  const [redirectUri, ...moreUris] = params.redirect_uri ?? []
  if (!redirectUri) return { kind: 'page', cause: 'redirectUriMissing' }
  if (moreUris.length > 0) return { kind: 'page', cause: 'repeatedParameter' }
  if (!isRegisteredUri(redirectUri)) return { kind: 'page', cause: 'redirectUriUnregistered' }

  const stateGiven = params.state?.length === 1 ? params.state[0] : undefined
  const stateTooLong = [...(stateGiven ?? '')].length > maxStateLength
  const state = stateTooLong ? undefined : stateGiven
  const responseTypes = params.response_type ?? []
  const onlyType = responseTypes.length === 1 ? responseTypes[0] : undefined
  const inFragment = onlyType === 'token' || (onlyType !== 'code' && app.flow === 'Implicit')
  const target = { redirectUri, inFragment, state }
  const reject = (error: OAuthError, description: string): ParsedRequest => {
    return { kind: 'redirect', ...target, error, description }
  }

  const repeated = Object.keys(params).find((name) => (params[name]?.length ?? 0) > 1)
  if (repeated) return reject('invalid_request', 'A parameter is repeated; send each one once.')
  if (stateTooLong) return reject('invalid_request', `state is longer than ${maxStateLength} characters.`)
  const responseType = responseTypes[0]
  if (!responseType) return reject('invalid_request', 'response_type is missing; send code or token.')
  if (responseType !== 'code' && responseType !== 'token')
    return reject('unsupported_response_type', 'response_type must be code or token.')
  const expectedType = app.flow === 'Implicit' ? 'token' : 'code'
  if (responseType !== expectedType)
    return reject('unauthorized_client', `This app uses the ${app.flow} flow; send response_type=${expectedType}.`)

  const mode = params.response_mode?.[0]
  if (mode !== undefined && mode !== (inFragment ? 'fragment' : 'query'))
    return reject('invalid_request', 'response_mode must be query for code and fragment for token.')

  const resource = readResource(params.resource?.[0], resources)
  if (resource === undefined)
    return reject('invalid_target', `resource must be ${resources.agents} or ${resources.rest}.`)
  const challenge = requestedChallenge(params, profile, responseType, resource !== null || app.flow === 'PKCE')
  if (typeof challenge === 'string') return reject('invalid_request', challenge)

  const prompts = (params.prompt?.[0] ?? '').split(' ').filter(Boolean)
  if (prompts.includes('none') && prompts.length > 1)
    return reject('invalid_request', 'prompt=none cannot be combined with other values.')
  return {
    kind: 'request',
    request: { redirectUri, responseType, state, challenge, resource, prompt: readPrompt(prompts) },
  }
}

/** Null without PKCE. The text says what is wrong. Tokens for agents need PKCE whatever the app (§4.3). */
function requestedChallenge(
  params: Params,
  { acceptsWeakPkce }: WireProfile,
  responseType: AuthorizationRequest['responseType'],
  isRequired: boolean,
): Challenge | string | null {
  const challenge = readChallenge(params.code_challenge?.[0], params.code_challenge_method?.[0], acceptsWeakPkce)
  if (challenge && typeof challenge !== 'string' && responseType === 'token') return 'PKCE requires response_type=code.'
  if (!challenge && isRequired) return 'code_challenge is missing; this app, or this resource, needs PKCE.'
  return challenge ?? null
}

function readPrompt(prompts: string[]): AuthorizationRequest['prompt'] {
  if (prompts.includes('none')) return 'none'
  if (prompts.includes('login') || prompts.includes('select_account')) return 'login'
  return prompts.includes('consent') ? 'consent' : undefined
}

/** The URL of a response: parameters in the query or fragment, after the app's own query. Percent-encoded, because fragments
 *  are read with decodeURIComponent, which does not decode `+`. */
export function redirectTarget(
  redirectUri: string,
  inFragment: boolean,
  members: Record<string, string | number | undefined>,
): string {
  const query = Object.entries(members)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join('&')
  if (inFragment) return `${redirectUri}#${query}`
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
