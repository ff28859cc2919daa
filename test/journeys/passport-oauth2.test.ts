import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { Server } from 'node:net'
import { test } from 'node:test'
import {
  assertOpens,
  demoClient,
  originOnFreePort,
  registerApp,
  serviceOfEachProfile,
  signInAt,
} from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import type { TestService } from '../support/service/service.ts'
import { Browser, getRest } from '../support/sign-in.ts'

type Request = IncomingMessage & { user?: object; session?: Record<string, { state?: { code_verifier?: string } }> }
type Reply = ServerResponse & { json(body: object): void }
type Handler = (request: Request, reply: Reply, next: () => void) => void

interface Express {
  use(handler: Handler): void
  get(path: string, ...handlers: Handler[]): void
  listen(port: number, host: string): Server
}

type Done = (error: unknown, user?: object) => void
type Settings = Record<'authorizationURL' | 'tokenURL' | 'clientID' | 'callbackURL', string> & {
  clientSecret?: string
  state: true
  pkce?: true
}
type Verify = (accessToken: string, refreshToken: string, params: object, profile: object, done: Done) => void

interface Passport {
  use(strategy: object): void
  authenticate(name: 'oauth2', options: { session: false }): Handler
}

/** These packages have no types of their own. */
const require = createRequire(import.meta.url)
const express = require('express') as () => Express
const { Passport } = require('passport') as { Passport: new () => Passport }
const { Strategy } = require('passport-oauth2') as { Strategy: new (settings: Settings, verify: Verify) => object }

/** A typical Express app: /sign-in redirects to the service, /callback receives the user. */
function websiteOf(service: TestService): { app: Express; passport: Passport; verify: Verify } {
  const app = express()
  const passport = new Passport()
  // The strategy stores state and verifier here; a single visitor needs only one session.
  const session: NonNullable<Request['session']> = {}
  const authenticate = passport.authenticate('oauth2', { session: false })
  app.use((request, _reply, next) => {
    request.session = session
    next()
  })
  app.get('/sign-in', authenticate)
  app.get(
    '/callback',
    (_request, _reply, next) => {
      for (const { state } of Object.values(session))
        if (state?.code_verifier) noteSecret('verifier', state.code_verifier)
      next()
    },
    authenticate,
    (request, reply) => reply.json(request.user ?? {}),
  )
  const verify: Verify = (accessToken, refreshToken, _params, _profile, done) => {
    noteSecret('access token', accessToken)
    noteSecret('refresh token', refreshToken)
    getRest(service.baseUrl, '/port/v1/users/me', accessToken)
      .then(async (answer) => ({ accessToken, status: answer.status, me: await answer.json() }))
      .then((user) => done(null, user), done)
  }
  return { app, passport, verify }
}

async function visit(service: TestService, origin: string): Promise<void> {
  const browser = new Browser()
  const away = await browser.fetch(`${origin}/sign-in`)
  assert.equal(away.status, 302)
  const callback = await signInAt(service, away.headers.get('location') ?? '', browser)
  assert.equal(callback.origin, origin)
  const back = await browser.fetch(callback.href)
  const text = await back.text()
  assert.equal(back.status, 200, text)
  const { accessToken, status, me } = JSON.parse(text) as { accessToken: string; status: number; me: { Name: string } }
  assert.equal(status, 200)
  assert.equal(me.Name, 'ada')
  await assertOpens(service, accessToken)
}

for (const { COMPAT, service } of await serviceOfEachProfile()) {
  const addresses = { authorizationURL: `${service.url}/authorize`, tokenURL: `${service.url}/token` }

  for (const pkce of [false, true])
    test(`passport-oauth2: code with a secret${pkce ? ' and PKCE' : ''} (COMPAT=${COMPAT})`, async () => {
      const { app, passport, verify } = websiteOf(service)
      const origin = await originOnFreePort(app)
      const callbackURL = `${origin}/callback`
      const { AppKey, Secret = '' } = await registerApp(service, 'Code', callbackURL)
      const client = { clientID: AppKey, clientSecret: Secret, ...(pkce && { pkce }) }
      passport.use(new Strategy({ ...addresses, ...client, callbackURL, state: true }, verify))
      await visit(service, origin)
    })

  test(`passport-oauth2: code with PKCE, without a secret (COMPAT=${COMPAT})`, async () => {
    const { app, passport, verify } = websiteOf(service)
    const origin = await originOnFreePort(app)
    const client = { clientID: demoClient('PKCE').id, callbackURL: `${origin}/callback` }
    passport.use(new Strategy({ ...addresses, ...client, state: true, pkce: true }, verify))
    await visit(service, origin)
  })
}
