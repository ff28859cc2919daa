import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { demoApp, demoPassword, demoRedirectUri } from './demo.ts'
import { noteSecret } from './runner/log-check.ts'

export const basic = (appKey: string = demoApp.AppKey, secret: string = demoApp.Secret): string =>
  `Basic ${Buffer.from(`${appKey}:${secret}`).toString('base64')}`

/** A browser without rendering: keeps cookies, does not follow redirects. */
export class Browser {
  readonly cookies = new Map<string, string>()

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
      noteSecret('cookie', value)
    }
    return response
  }
}

export type AuthorizeParams = Record<string, string>

export const codeRequest: AuthorizeParams = {
  response_type: 'code',
  client_id: demoApp.AppKey,
  redirect_uri: demoRedirectUri,
  state: 'a state',
}

export const authorizeUrl = (url: string, params: AuthorizeParams): string =>
  `${url}/authorize?${new URLSearchParams(params)}`

/** Parses the form of a sign-in page. */
export async function readForm(page: Response): Promise<{ action: string; formToken: string; html: string }> {
  const html = await page.text()
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  const formToken = /name="form_token" value="([^"]+)"/.exec(html)?.[1]
  assert.ok(action && formToken, `no form on this page:\n${html}`)
  return { action, formToken, html }
}

/** Signs in through the sign-in page and returns the redirect. */
export async function signIn(
  url: string,
  params: AuthorizeParams = codeRequest,
  options: { user?: string; password?: string; decision?: 'allow' | 'cancel'; browser?: Browser } = {},
): Promise<URL> {
  const { user = 'ada', password = demoPassword, decision = 'allow', browser = new Browser() } = options
  const start = await browser.fetch(authorizeUrl(url, params))
  assert.equal(start.status, 302, await start.text())
  const location = start.headers.get('location') ?? ''
  if (!location.startsWith('/login?')) return noteResult(new URL(location))
  const form = await readForm(await browser.fetch(`${url}${location}`))
  const asksPassword = form.html.includes('name="password"')
  const answer = await browser.fetch(new URL(form.action, url).href, {
    method: 'POST',
    body: new URLSearchParams({ form_token: form.formToken, decision, ...(asksPassword && { user, password }) }),
  })
  assert.equal(answer.status, 302, await answer.text())
  return noteResult(new URL(answer.headers.get('location') ?? ''))
}

/** Notes the secrets of a redirect for the log check. */
function noteResult(result: URL): URL {
  for (const values of [result.searchParams, new URLSearchParams(result.hash.slice(1))])
    for (const name of ['code', 'access_token']) {
      const value = values.get(name)
      if (value) noteSecret(name, value)
    }
  return result
}

export async function signInForCode(url: string, params?: AuthorizeParams, options?: Parameters<typeof signIn>[2]) {
  const code = (await signIn(url, params, options)).searchParams.get('code')
  assert.ok(code, 'the redirect has no code')
  return code
}

export type TokenBody = {
  access_token: string
  refresh_token: string
  expires_in: number
  token_type: string
  refresh_token_expires_in: number
  error?: string
  error_description?: string
}

/** POST /token with the demo app's credentials unless others are given (`null` for none). */
export async function postToken(
  url: string,
  form: Record<string, string>,
  authorization: string | null = basic(),
): Promise<{ status: number; headers: Headers; body: TokenBody }> {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    headers: authorization === null ? {} : { authorization },
    body: new URLSearchParams(form),
  })
  const body = (await response.json()) as TokenBody
  if (body.access_token) noteSecret('access token', body.access_token)
  if (body.refresh_token) noteSecret('refresh token', body.refresh_token)
  return { status: response.status, headers: response.headers, body }
}

/** A complete sign-in of the demo app, by default as ada. */
export async function obtainTokens(url: string, options?: Parameters<typeof signIn>[2]): Promise<TokenBody> {
  const code = await signInForCode(url, codeRequest, options)
  const { status, body } = await postToken(url, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: demoRedirectUri,
  })
  assert.ok(status === 200 || status === 201, JSON.stringify(body))
  return body
}

export const refresh = (url: string, refreshToken: string, more: Record<string, string> = {}) =>
  postToken(url, { grant_type: 'refresh_token', refresh_token: refreshToken, ...more })

export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  noteSecret('verifier', verifier)
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** GET below {base_url} with a token. */
export function getRest(baseUrl: string, path: string, token: string): Promise<Response> {
  return fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
}
