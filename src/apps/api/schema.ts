import { type Static, Type } from 'typebox'
import { AppFlow, AppStatus } from '../../core/app.ts'
import { describe, matching } from '../../core/schema.ts'
import { FeedOf, pageQuery } from '../../http/output/feed.ts'

export const appsPage = { defaultTop: 20, maxTop: 1_000 } as const
/** Limits of §8.6. */
export const maxApps = 100
export const maxRedirectUris = 50
export const maxSecrets = 10

export const defaultBranding = { Id: 1, Name: 'Default', Description: 'Default sign-in pages' } as const

/** The same for every app: no app places orders here (§8.1). */
export const manualOrders = { ManualOrderIndicationDefault: 'Manual', ManualOrderIndicator: 'NotRequired' } as const

const redirectUriExample = { RedirectUriId: 1, Uri: 'http://localhost:5000/callback', Branding: defaultBranding }

const secretExample = {
  SecretId: 1,
  Secret: 'fedcba9876543210fedcba9876543210',
  ValidFrom: '2026-11-16T12:00:00.000000Z',
  ValidUntil: '2027-11-16T12:00:00.000000Z',
}

const appExample = {
  AppKey: '0123456789abcdef0123456789abcdef',
  Name: 'Pocket Charts',
  Description: 'The demo app: authorization code flow with a secret.',
  Flow: 'Code',
  IsActive: true,
  IsTradingEnabled: true,
  ...manualOrders,
  Status: 'OK',
  CreatedBy: { Name: 'ada', UserKey: 'YOjHpvTCTlWWcx|2vafgFA==' },
  Endpoints: {
    AuthorizationEndpoint: 'http://localhost:4700/authorize',
    TokenEndpoint: 'http://localhost:4700/token',
  },
  Branding: [defaultBranding],
  RedirectUris: [redirectUriExample],
}

export const maybe = Type.Optional
export const text = (description: string) => Type.String({ description })
export const time = (description: string) => Type.String({ format: 'date-time', description })
const closed = { additionalProperties: false }
/** What PostgreSQL can store: no U+0000, no unpaired surrogate. */
const storable = '^[^\\u0000\\p{Cs}]*$'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  ...matching(
    "1 to 100 letters, digits, spaces and @ - [ ] ' ! . characters, not all of them spaces",
    "^ *[\\p{L}\\p{N}@\\-\\[\\]'!.][\\p{L}\\p{N} @\\-\\[\\]'!.]*$",
  ),
})
const Description = Type.String({
  maxLength: 1_000,
  ...matching('text of at most 1000 characters, without null characters or broken Unicode', storable),
})
const Uri = Type.String({ minLength: 1, maxLength: 2_000, description: 'Where the app’s sign-ins return to.' })
const BrandingId = Type.Integer({ minimum: 1, maximum: 1, description: 'Always 1: there is one branding.' })
/** Rejects a leap second (:60), which Temporal would read as :59. */
const Moment = Type.String({ format: 'date-time', pattern: '^.{17}[0-5]' })
const Id = Type.Integer({ minimum: 1, description: 'The id.' })

export const Branding = Type.Object(
  { Id, Name: text('The name.'), Description: text('What it is for.') },
  { title: 'AppBranding' },
)

/** §8.3. */
export const AppRedirect = Type.Object(
  {
    RedirectUriId: Id,
    RedirectUriLabel: maybe(text('A short name.')),
    Uri: text('Where sign-ins return to.'),
    Description: maybe(text('What it is for.')),
    Branding: describe(Branding, 'The look of the sign-in pages.'),
  },
  { title: 'AppRedirectUri', examples: [redirectUriExample] },
)
export type AppRedirect = Static<typeof AppRedirect>

/** §8.4. */
export const AppSecret = Type.Object(
  {
    SecretId: Id,
    Secret: maybe(
      text(
        'The secret. Omitted for a read-only token; shortened with SECRETS=once, except in the response that creates it.',
      ),
    ),
    ValidFrom: time('When it becomes valid.'),
    ValidUntil: time('When it expires.'),
  },
  { title: 'AppSecret', examples: [secretExample] },
)
export type AppSecret = Static<typeof AppSecret>

/** §8.1. */
export const App = Type.Object(
  {
    AppKey: text('The client_id of the app.'),
    Name: text('The name that users see when they sign in.'),
    Description: text('What the app is for.'),
    Flow: AppFlow,
    IsActive: Type.Boolean({ description: 'Whether users can sign in with it.' }),
    IsTradingEnabled: Type.Boolean({ description: 'Whether its tokens may write.' }),
    ManualOrderIndicationDefault: text('What an order without an indication counts as. Always Manual.'),
    ManualOrderIndicator: text('Whether orders must say if a person placed them. Always NotRequired.'),
    Status: AppStatus,
    CreatedBy: maybe(
      Type.Object(
        { Name: text('The user name.'), UserKey: text('The UserKey.') },
        { title: 'AppCreator', description: 'Who created it.' },
      ),
    ),
    Endpoints: Type.Object(
      { AuthorizationEndpoint: text('Where sign-ins start.'), TokenEndpoint: text('Where the app gets tokens.') },
      { title: 'AppEndpoints', description: 'The OAuth endpoints.' },
    ),
    Branding: Type.Array(Branding, { description: 'The available looks of the sign-in pages.' }),
    RedirectUris: Type.Array(AppRedirect, { description: 'Where sign-ins may return to.' }),
    Secrets: maybe(Type.Array(AppSecret, { description: 'The secrets; omitted unless requested.' })),
  },
  { title: 'App', examples: [appExample] },
)
export type App = Static<typeof App>

export const AppFeed = FeedOf(App)
export const RedirectUriFeed = FeedOf(AppRedirect)
export const SecretFeed = FeedOf(AppSecret)
export const PutRedirectUri = Type.Object(
  {
    Data: describe(AppRedirect, 'The redirect URI.'),
    FoundAndUpdated: Type.Boolean({ description: 'Whether the app already had it.' }),
  },
  { title: 'PutRedirectUri', examples: [{ Data: redirectUriExample, FoundAndUpdated: false }] },
)

const { $skiptoken, ...bySkip } = pageQuery(appsPage)
export const AppsQuery = Type.Object({
  ...bySkip,
  IncludeSecrets: Type.Boolean({ default: false, description: 'Whether to include the secrets of each app.' }),
})
export const PageQuery = Type.Object(bySkip)
const ignored = maybe(text('Accepted without effect.'))
export const IgnoredPageQuery = Type.Object({
  $top: ignored,
  $skip: ignored,
  $inlinecount: ignored,
  $skiptoken: ignored,
})
export const AuditQuery = Type.Object({ ...bySkip, $skiptoken })

const AppKey = Type.String({
  maxLength: 100,
  description: 'The key of an app of the caller’s client.',
  examples: [appExample.AppKey],
})
export const AppParams = Type.Object({ AppKey })
export const RedirectUriParams = Type.Object({
  AppKey,
  RedirectUriId: Type.Integer({ description: 'The id of the redirect URI.', examples: [1] }),
})
export const SecretParams = Type.Object({
  AppKey,
  SecretId: Type.Integer({ description: 'The id of the secret.', examples: [1] }),
})

const IsTradingEnabled = maybe(
  Type.Boolean({ description: 'Whether its tokens may write. In live this needs approval.' }),
)
export const NewApp = Type.Object(
  { Name, Description, Flow: AppFlow, IsTradingEnabled, RedirectUri: maybe(Uri) },
  {
    ...closed,
    title: 'NewApp',
    examples: [
      { Name: 'My charts', Description: 'Charts for me.', Flow: 'PKCE', RedirectUri: 'http://localhost/callback' },
    ],
  },
)
export type NewApp = Static<typeof NewApp>

export const AppPatch = Type.Object(
  {
    Name: maybe(Name),
    Description: maybe(Description),
    IsActive: maybe(Type.Boolean({ description: 'true reactivates the app.' })),
    IsTradingEnabled,
  },
  { ...closed, title: 'AppPatch', examples: [{ Description: 'Charts for all of us.' }] },
)
export type AppPatch = Static<typeof AppPatch>

const uriMembers = {
  Description: maybe(Description),
  RedirectUriLabel: maybe(Description),
  BrandingId: maybe(BrandingId),
}
export const NewRedirectUri = Type.Object(
  { Uri, ...uriMembers },
  {
    ...closed,
    title: 'NewRedirectUri',
    examples: [{ Uri: 'https://app.example.com/callback', Description: 'Production' }],
  },
)
export const RedirectUriPatch = Type.Object(
  { Uri: maybe(Uri), ...uriMembers },
  { ...closed, title: 'RedirectUriPatch', examples: [{ Description: 'Staging' }] },
)

const from = 'When it becomes valid, in the past or the future.'
const until = 'When it expires: in the future, and at most two years after ValidFrom.'
export const NewSecret = Type.Object(
  { ValidFrom: describe(Moment, from), ValidUntil: describe(Moment, until) },
  {
    ...closed,
    title: 'NewSecret',
    examples: [{ ValidFrom: '2026-11-16T12:00:00Z', ValidUntil: '2027-11-16T12:00:00Z' }],
  },
)
export const SecretPatch = Type.Object(
  {
    ValidFrom: maybe(describe(Moment, from)),
    ValidUntil: maybe(describe(Moment, until)),
    Regenerate: maybe(Type.Boolean({ description: 'Replace the secret with a new one immediately.' })),
  },
  { ...closed, title: 'SecretPatch', examples: [{ Regenerate: true }] },
)
