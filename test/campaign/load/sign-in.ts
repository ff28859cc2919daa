import { noteSecret } from '../../support/runner/log-check.ts'
import { app, password } from '../system/data.ts'
import type { Caller, Outcome } from './caller.ts'
import type { LoadContext } from './context.ts'

export type Cookies = Map<string, string>

export type TokenPair = { access_token: string; refresh_token: string }

/** Signs in through the pages, as a browser does. Undefined if the service was unavailable, or if the sign-in of the browser has
 *  expired or not begun because the service travelled in time meanwhile. */
export async function obtainCode(
  { caller, clocks }: Pick<LoadContext, 'caller' | 'clocks'>,
  user: string,
  cookies: Cookies,
): Promise<string | undefined> {
  const { era } = clocks
  const params = { response_type: 'code', client_id: app.appKey, redirect_uri: app.redirectUri, state: 'campaign' }
  const path = `/authorize?${new URLSearchParams(params)}`
  const start = await caller.send({ path, at: 'origin', cookies, expected: [302] })
  const location = start.headers.get('location') ?? ''
  if (start.status !== 302) return undefined
  if (!location.startsWith('/login?')) return codeOf(location)
  const page = await caller.send({ path: location, at: 'origin', cookies, expected: [200] })
  if (page.status !== 200) return undefined
  const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const formToken = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const credentials = page.text.includes('name="password"') ? { user, password } : {}
  const form = { form_token: formToken, decision: 'allow', ...credentials }
  const submission = { method: 'POST', path: action, at: 'origin', cookies, form } as const
  const answer = await caller.send({
    ...submission,
    // Read when the answer is there.
    get expected() {
      return clocks.era === era && clocks.isSettled ? [302] : [302, 400]
    },
  })
  if (answer.status !== 302) return undefined
  return codeOf(answer.headers.get('location') ?? '')
}

function codeOf(location: string): string | undefined {
  const code = new URL(location, 'http://localhost').searchParams.get('code') ?? undefined
  if (code !== undefined) noteSecret('code', code)
  return code
}

const basic = [app.appKey, app.secret] as const
const post = { method: 'POST', at: 'origin', basic } as const

export const exchange = (caller: Caller, code: string): Promise<Outcome> =>
  caller.send({
    ...post,
    path: '/token',
    form: { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri },
    expected: [200, 400],
  })

export const refresh = (caller: Caller, token: string, node?: number): Promise<Outcome> =>
  caller.send({
    ...post,
    path: '/token',
    form: { grant_type: 'refresh_token', refresh_token: token },
    expected: [200, 400],
    ...(node !== undefined && { node }),
  })

export const revoke = (caller: Caller, token: string): Promise<Outcome> =>
  caller.send({ ...post, path: '/revoke', form: { token }, expected: [200] })

export function tokensOf({ text }: Outcome): TokenPair {
  const tokens = JSON.parse(text) as TokenPair
  noteSecret('access token', tokens.access_token)
  noteSecret('refresh token', tokens.refresh_token)
  return tokens
}
