import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { AddressInfo, Server } from 'node:net'
import { after } from 'node:test'
import type { Flow } from '../../src/core/app.ts'
import { demoApps } from './demo.ts'
import { type AppRecord, importApp } from './import-app.ts'
import { noteSecret } from './runner/log-check.ts'
import { masterKey, serviceForFile, type TestService } from './service/service.ts'
import { type Browser, getRest, signIn } from './sign-in.ts'

/** A service of each profile (§3). Both run before the first test is declared: the runner ends the file,
 *  services included, as soon as it knows of no test that has not run. */
export function serviceOfEachProfile(): Promise<{ COMPAT: string; service: TestService }[]> {
  const start = async (COMPAT: string) => ({ COMPAT, service: await serviceForFile({ env: { COMPAT } }) })
  return Promise.all(['off', 'vendor'].map(start))
}

/** The demo app of a flow, as its developer would write it into a library's settings. */
export function demoClient(flow: Flow): { id: string; secret: string } {
  const app = demoApps.find((each) => each.Flow === flow)
  assert.ok(app)
  return { id: app.AppKey, secret: app.Secret ?? '' }
}

/** An app of ada's like the demo app of the same flow, with other redirect URIs. */
export async function registerApp(service: TestService, flow: Flow, redirectUri: string): Promise<AppRecord> {
  const like = demoApps.find((each) => each.Flow === flow)
  assert.ok(like)
  const secret = flow === 'Code' ? { Secret: randomBytes(16).toString('hex') } : {}
  const own = { AppKey: randomBytes(16).toString('hex'), Name: 'Journey', RedirectUris: [redirectUri], ...secret }
  if (own.Secret) noteSecret('secret', own.Secret)
  const app = { ...like, ...own }
  const { db, feed } = service.node.context
  await importApp(db, masterKey, app, service.clock.now())
  await feed.poll()
  return app
}

/** What a person does at the address that a library made: signs in, allows, and is sent back to the app. */
export function signInAt(service: TestService, address: string | URL, browser?: Browser): Promise<URL> {
  const { origin, pathname, searchParams } = new URL(address)
  assert.equal(`${origin}${pathname}`, `${service.url}/authorize`)
  return signIn(service.url, Object.fromEntries(searchParams), browser && { browser })
}

/** Checks that the token of a library works on the REST API, for the user who signed in. */
export async function assertOpens(service: TestService, accessToken: string): Promise<void> {
  noteSecret('access token', accessToken)
  const answer = await getRest(service.baseUrl, '/port/v1/users/me', accessToken)
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  assert.equal((JSON.parse(text) as { Name: string }).Name, 'ada')
}

export async function assertRefused(service: TestService, accessToken: string): Promise<void> {
  assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', accessToken)).status, 401)
}

/** The address of an app that listens on a free port until the tests of the file are over. */
export async function originOnFreePort(app: { listen(port: number, host: string): Server }): Promise<string> {
  const server = app.listen(0, 'localhost')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
