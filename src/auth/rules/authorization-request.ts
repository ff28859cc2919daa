import type { Flow } from '../../core/app.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { OAuthError } from '../problem.ts'
import { type Challenge, readChallenge } from './pkce.ts'

export type Params = Readonly<Record<string, readonly string[] | undefined>>
export type RequestingApp = Readonly<{
  AppKey: string
  Name: string
  Flow: Flow
  IsActive: boolean
}>

/** Causes that may never be redirected: the address is not trusted yet. */
export type PageCause =
  | 'clientIdMissing'
  | 'clientIdRepeated'
  | 'appUnknown'
  | 'appInactive'
  | 'redirectUriMissing'
  | 'redirectUriRepeated'
  | 'redirectUriUnregistered'

export type AuthorizationRequest = Readonly<{
  app: RequestingApp
  redirectUri: string
  responseType: 'code' | 'token'
  state: string | undefined
  challenge: Challenge | undefined
  prompt: 'none' | 'login' | 'consent' | undefined
}>

export type Reading =
  | { kind: 'page'; cause: PageCause }
  | {
      kind: 'redirect'
      redirectUri: string
      inFragment: boolean
      state: string | undefined
      error: OAuthError
      description: string
    }
  | { kind: 'request'; request: AuthorizationRequest }

export const longestState = 2_048

/** The app that an authorization request names, before anything else is believed of it. */
export function requestedAppKey(params: Params): string | { kind: 'page'; cause: PageCause } {
  const [appKey, ...more] = params.client_id ?? []
  if (!appKey) return { kind: 'page', cause: 'clientIdMissing' }
  if (more.length > 0) return { kind: 'page', cause: 'clientIdRepeated' }
  return appKey
}

/** Reads a whole authorization request (§5.2, §5.3). Nothing is redirected before the address is trusted
 *  (RFC 6749 §4.1.2.1); from there on every fault goes to the app, in the query for code, in the fragment for token. */
export function readAuthorizationRequest(
  params: Params,
  app: RequestingApp | undefined,
  isRegisteredUri: (uri: string) => boolean,
  profile: WireProfile,
): Reading {
  if (!app) return { kind: 'page', cause: 'appUnknown' }
  if (!app.IsActive) return { kind: 'page', cause: 'appInactive' }
  const [redirectUri, ...moreUris] = params.redirect_uri ?? []
  if (!redirectUri) return { kind: 'page', cause: 'redirectUriMissing' }
  if (moreUris.length > 0) return { kind: 'page', cause: 'redirectUriRepeated' }
  if (!isRegisteredUri(redirectUri)) return { kind: 'page', cause: 'redirectUriUnregistered' }

  const stateGiven = params.state?.length === 1 ? params.state[0] : undefined
  const stateTooLong = [...(stateGiven ?? '')].length > longestState
  const state = stateTooLong ? undefined : stateGiven
  const responseTypes = params.response_type ?? []
  const asked = responseTypes.length === 1 ? responseTypes[0] : undefined
  const inFragment = asked === 'token' || (asked !== 'code' && app.Flow === 'Implicit')
  const refuse = (error: OAuthError, description: string): Reading => ({
    kind: 'redirect',
    redirectUri,
    inFragment,
    state,
    error,
    description,
  })

  const repeated = Object.keys(params).find((name) => (params[name]?.length ?? 0) > 1)
  if (repeated) return refuse('invalid_request', 'A parameter came more than once.')
  if (stateTooLong) return refuse('invalid_request', `state is longer than ${longestState} characters.`)
  const responseType = responseTypes[0]
  if (!responseType) return refuse('invalid_request', 'response_type is missing.')
  if (responseType !== 'code' && responseType !== 'token')
    return refuse('unsupported_response_type', 'response_type is code or token.')
  if ((responseType === 'token') !== (app.Flow === 'Implicit'))
    return refuse('unauthorized_client', `This app signs in by the ${app.Flow} flow.`)

  const mode = params.response_mode?.[0]
  if (mode !== undefined && mode !== (inFragment ? 'fragment' : 'query'))
    return refuse('invalid_request', 'response_mode is query for code and fragment for token.')

  const challenge = readChallenge(
    params.code_challenge?.[0],
    params.code_challenge_method?.[0],
    profile.acceptsWeakPkce,
  )
  if (typeof challenge === 'string') return refuse('invalid_request', challenge)
  if (challenge && responseType === 'token') return refuse('invalid_request', 'PKCE belongs to response_type=code.')
  if (!challenge && app.Flow === 'PKCE')
    return refuse('invalid_request', 'code_challenge is missing; this app signs in with PKCE.')

  const prompts = (params.prompt?.[0] ?? '').split(' ').filter(Boolean)
  if (prompts.includes('none') && prompts.length > 1)
    return refuse('invalid_request', 'prompt=none does not go with other values.')
  return { kind: 'request', request: { app, redirectUri, responseType, state, challenge, prompt: readPrompt(prompts) } }
}

function readPrompt(prompts: string[]): AuthorizationRequest['prompt'] {
  if (prompts.includes('none')) return 'none'
  if (prompts.includes('login') || prompts.includes('select_account')) return 'login'
  return prompts.includes('consent') ? 'consent' : undefined
}

/** The address a result goes to: parameters in the query or the fragment, the app's own query kept as it is.
 *  Percent-encoded throughout, since fragments are read by decodeURIComponent, which knows no `+`. */
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
