import { FixedClock } from './clock.ts'
import { demoApp, demoRedirectUri } from './demo.ts'
import { serviceForFile } from './service/service.ts'
import { Browser, basic, codeRequest, readForm, type TokenBody } from './sign-in.ts'

/** Behind a trusted proxy, so that a test can call from any address. */
export const behindProxy = { TRUST_PROXY: '127.0.0.1,::1' }

/** A service whose passwords and secrets a test guesses, at a fixed time. */
export async function guessedService() {
  const clock = new FixedClock('2026-11-16T09:00:00Z')
  const service = await serviceForFile({ clock, env: behindProxy })
  const { url } = service
  let addresses = 0
  const newAddress = () => `198.51.100.${++addresses}`

  /** POST /token from an address. An authenticated app gets invalid_grant, because the code is unknown. */
  async function trySecret(secret: string, address: string, appKey: string = demoApp.AppKey, node = url) {
    const headers = { authorization: basic(appKey, secret), 'x-forwarded-for': address }
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'unknown',
      redirect_uri: demoRedirectUri,
    })
    const response = await fetch(`${node}/token`, { method: 'POST', headers, body })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as TokenBody,
    }
  }

  async function tryPassword(user: string, password: string, address: string, node = url) {
    const browser = new Browser()
    const headers = { 'x-forwarded-for': address }
    const form = await readForm(await browser.fetch(`${node}/login?${new URLSearchParams(codeRequest)}`, { headers }))
    const fields = { form_token: form.formToken, user, password, decision: 'allow' }
    const response = await browser.fetch(`${node}${form.action}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    })
    const page = (await response.text()).replaceAll(form.formToken, '?').replaceAll(user, '?')
    return { status: response.status, retryAfter: response.headers.get('retry-after'), page }
  }

  return { clock, service, url, newAddress, trySecret, tryPassword }
}

export const times = async <Result>(count: number, attempt: () => Promise<Result>): Promise<Result[]> => {
  const answers: Result[] = []
  for (let index = 0; index < count; index++) answers.push(await attempt())
  return answers
}
export const statuses = (results: { status: number }[]) => results.map(({ status }) => status)
export const tenTimes = (status: number) => Array<number>(10).fill(status)
