import { type Static, type TObject, Type } from 'typebox'
import { describe, named, oneOf } from '../../core/schema.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { oauthStatuses } from '../problem.ts'

/** Requests and responses of the authorization server. Requests are parsed by rules; their schemas are for the API document only. */

const maybe = Type.Optional
const text = (description: string, ...examples: string[]) =>
  Type.String({ description, ...(examples.length > 0 && { examples }) })

const demoApp = '0123456789abcdef0123456789abcdef'
const demoRedirectUri = 'http://localhost:5000/callback'

export const authorizeQuery = ({ acceptsWeakPkce }: WireProfile) =>
  Type.Object({
    response_type: describe(
      oneOf('code', 'token'),
      '`code` for apps of the Code and PKCE flows, `token` for the Implicit flow.',
      { examples: ['code'] },
    ),
    client_id: text('The AppKey.', demoApp),
    redirect_uri: text('One of the redirect URIs of the app, exactly as registered.', demoRedirectUri),
    state: maybe(
      Type.String({ maxLength: 2048, description: 'Returned unchanged, to match the response to the request.' }),
    ),
    code_challenge: maybe(
      text('PKCE (RFC 7636): the base64url SHA-256 of the code_verifier sent later. Required for PKCE apps.'),
    ),
    code_challenge_method: maybe(
      describe(acceptsWeakPkce ? oneOf('S256', 'plain') : oneOf('S256'), 'How code_challenge was computed.'),
    ),
    prompt: maybe(
      describe(
        oneOf('none', 'login', 'consent'),
        'none: no page, an error if one is needed. login: sign in again. consent: ask for consent again.',
      ),
    ),
    lang: maybe(text('The language of the pages: en, de or da.', 'en')),
    resource: maybe(
      text(
        'What the tokens are for (RFC 8707): the REST API by default, or the address of /mcp, which then needs PKCE.',
      ),
    ),
  })

const client_id = 'The AppKey, if not sent with HTTP Basic.'
const client_secret = maybe(text('A secret of the app, if not sent with HTTP Basic.'))

export const tokenForm = ({ requiresRedirectUriOnExchange: isRequired, pkceRefreshNeedsClientId }: WireProfile) =>
  Type.Object(
    {
      grant_type: describe(oneOf('authorization_code', 'refresh_token'), 'What to exchange.'),
      code: maybe(text('The code from the redirect. It can be used once, within a minute.')),
      redirect_uri: maybe(
        text(`The redirect URI of the sign-in; ${isRequired ? 'required with a code' : 'checked if sent'}.`),
      ),
      code_verifier: maybe(text('The PKCE verifier; required if the sign-in had a code_challenge.')),
      refresh_token: maybe(text('The latest refresh token. The response contains the next one.')),
      client_id: maybe(
        text(pkceRefreshNeedsClientId ? client_id : `${client_id} A PKCE app may omit it with a refresh token.`),
      ),
      client_secret,
      resource: maybe(text('What the tokens are for (RFC 8707); must equal that of the sign-in, if sent.')),
    },
    {
      title: 'TokenRequest',
      examples: [
        {
          grant_type: 'authorization_code',
          code: '1f0e7a5c-62f4-4a3e-9a51-6a0f4c1e8b2d',
          redirect_uri: demoRedirectUri,
        },
      ],
    },
  )

/** The API document of what `readForm` accepts. If the query is accepted too, none of its parameters is required. */
export const formOf = (form: TObject, { acceptsTokenQueryAndMultipart }: WireProfile) => ({
  form,
  ...(acceptsTokenQueryAndMultipart && { query: Type.Partial(form), formAnywhere: true }),
})

const seconds = (description: string) => Type.Integer({ minimum: 0, description })

const tokenMembers = {
  access_token: text('For the Authorization header of every call: a JWT. Treat it as opaque.'),
  expires_in: seconds('Seconds until the access token expires.'),
  token_type: text('Bearer.'),
  refresh_token: text('Exchange it for the next tokens. It can be used once; store it safely.'),
  refresh_token_expires_in: seconds('Seconds until the refresh token expires.'),
}
export type TokenResponse = Readonly<Static<TObject<typeof tokenMembers>>>
/** An access token that is issued again after a change of the clock (§11.2). */
export type RenewedToken = Omit<TokenResponse, 'refresh_token' | 'refresh_token_expires_in'>

export const tokenResponse = ({ tokenExtras }: WireProfile) =>
  Type.Object(
    {
      ...tokenMembers,
      ...('base_uri' in tokenExtras && { base_uri: Type.Null({ description: 'Always null.' }) }),
    },
    {
      title: 'Token',
      description: 'New tokens.',
      examples: [
        {
          access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJZT2pIcHYifQ.c2lnbmF0dXJl',
          expires_in: 1200,
          token_type: 'Bearer',
          refresh_token: 'a666c58e-5707-0c51-64a2-e9dd7df119b2',
          refresh_token_expires_in: 3600,
          ...tokenExtras,
        },
      ],
    },
  )

export const OwnTokenForm = Type.Object(
  {
    token: text('An access or refresh token of the app.'),
    token_type_hint: maybe(text('The kind of the token. Not needed.')),
    client_id: maybe(text(client_id)),
    client_secret,
  },
  { title: 'OwnTokenRequest', examples: [{ token: 'a666c58e-5707-0c51-64a2-e9dd7df119b2' }] },
)

/** RFC 7009 §2.2. */
export const Revoked = Type.Object({}, { title: 'Revoked', description: 'The session has ended.', examples: [{}] })

/** RFC 7662 §2.2. */
export const Introspection = Type.Object(
  {
    active: Type.Boolean({ description: 'Whether it would be accepted now. If false, there are no other members.' }),
    token_type: maybe(text('Bearer, for an access token.')),
    client_id: maybe(text('The AppKey of the app.')),
    sub: maybe(text('The UserKey of the user.')),
    sid: maybe(text('The session.')),
    exp: maybe(Type.Integer({ description: 'When it expires, in seconds since 1970.' })),
    iss: maybe(text('The issuer: this service.')),
    iat: maybe(Type.Integer({ description: 'When it was issued, in seconds since 1970.' })),
    aud: maybe(text('The audience: the base URL of the REST API, or the address of /mcp.')),
    jti: maybe(text('The id of the token.')),
    uid: maybe(text('The UserKey.')),
    cid: maybe(text('The ClientKey.')),
    aid: maybe(text('The AppKey.')),
    oaa: maybe(text('77770 if it may read and write, 77700 if it may only read.')),
    day_token: maybe(Type.Boolean({ description: 'True for a 24-hour token of sim.' })),
  },
  { title: 'Introspection', description: 'The state of the token.', examples: [{ active: false }] },
)
export type Introspection = Static<typeof Introspection>

export const OAuthError = Type.Object(
  {
    error: named(
      'OAuthErrorCode',
      oneOf(...(Object.keys(oauthStatuses) as (keyof typeof oauthStatuses)[])),
      'The error code (RFC 6749).',
    ),
    error_description: text('What is wrong, for developers.'),
  },
  {
    title: 'OAuthError',
    description: 'Why a request was rejected.',
    examples: [{ error: 'invalid_grant', error_description: 'The code is not valid.' }],
  },
)

const url = (description: string) => Type.String({ format: 'uri', description })
const names = (description: string) => Type.Array(Type.String(), { description })

/** RFC 8414. */
export const ServerMetadata = Type.Object(
  {
    issuer: url('The issuer of tokens.'),
    authorization_endpoint: url('Starts a sign-in.'),
    token_endpoint: url('Issues tokens.'),
    revocation_endpoint: url('Ends a session.'),
    introspection_endpoint: url('Introspects a token.'),
    jwks_uri: url('Lists the public signing keys.'),
    response_types_supported: names('Supported values of response_type.'),
    response_modes_supported: names('Where the response is in the redirect.'),
    grant_types_supported: names('Supported grants.'),
    token_endpoint_auth_methods_supported: names('How an app authenticates.'),
    revocation_endpoint_auth_methods_supported: names('How an app authenticates.'),
    introspection_endpoint_auth_methods_supported: names('How an app authenticates.'),
    code_challenge_methods_supported: names('Supported values of code_challenge_method.'),
    authorization_response_iss_parameter_supported: Type.Boolean({
      description: 'Whether redirects include iss (RFC 9207).',
    }),
    ui_locales_supported: names('Languages of the pages.'),
  },
  { title: 'ServerMetadata', description: 'Endpoints and features.' },
)
export type ServerMetadata = Static<typeof ServerMetadata>

/** RFC 9728. */
export const ResourceMetadata = Type.Object(
  {
    resource: url('What tokens must be for: the value of `resource` at /authorize and /token.'),
    authorization_servers: names('Who issues such tokens.'),
    bearer_methods_supported: names('How a token is sent.'),
    resource_name: text('The name of the service.'),
    resource_documentation: url('How to connect an agent.'),
  },
  { title: 'ResourceMetadata', description: 'The tools for agents.' },
)
export type ResourceMetadata = Static<typeof ResourceMetadata>

/** RFC 7517. */
export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: text('EC.'),
          crv: text('P-256.'),
          x: text('The x coordinate.'),
          y: text('The y coordinate.'),
          kid: text('The key id, which tokens name in their header.'),
          alg: text('ES256.'),
          use: text('sig.'),
        },
        { title: 'SigningKey' },
      ),
      { description: 'The active key, its predecessors that are still valid, and the next one.' },
    ),
  },
  { title: 'KeySet', description: 'Public keys.' },
)

const time = (description: string) => Type.String({ format: 'date-time', description })
const appMembers = { AppKey: text('The key of the app.'), AppName: text('The name of the app.') }
const appExample = { AppKey: demoApp, AppName: 'Pocket Charts' }

export const SessionView = Type.Object(
  {
    SessionId: text('The id of the session.'),
    ...appMembers,
    Address: text('The IP address it was started from.'),
    UserAgent: text('The program that started it.'),
    CreatedAt: time('When it started.'),
    ExpiresAt: time('When it expires.'),
    IsCurrent: Type.Boolean({ description: 'Whether it is the session of the calling token.' }),
  },
  {
    title: 'Session',
    examples: [
      {
        SessionId: 'bd7788724415c6f0a3ed7145827daf85',
        ...appExample,
        Address: '127.0.0.1',
        UserAgent: 'node',
        CreatedAt: '2026-11-16T12:00:00.000000Z',
        ExpiresAt: '2026-12-16T12:00:00.000000Z',
        IsCurrent: true,
      },
    ],
  },
)
export type SessionView = Static<typeof SessionView>

export const ConsentView = Type.Object(
  { ...appMembers, GivenAt: time('When the user consented.') },
  { title: 'Consent', examples: [{ ...appExample, GivenAt: '2026-11-16T12:00:00.000000Z' }] },
)
export type ConsentView = Static<typeof ConsentView>
