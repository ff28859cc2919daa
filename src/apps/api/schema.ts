import { type Static, Type } from 'typebox'
import { AppFlow, AppStatus } from '../../core/app.ts'
import { describe, ofForm } from '../../core/schema.ts'
import { FeedOf, pageQuery } from '../../http/output/feed.ts'
import { appExample, redirectUriExample, secretExample } from './examples.ts'

/** Operations 10, 15 and 20 (contract §2). */
export const appsPage = { defaultTop: 20, maxTop: 1_000 } as const
/** Contract §8. */
export const maxApps = 100
export const maxRedirectUris = 50
export const maxSecrets = 10

const maybe = Type.Optional
const text = (description: string) => Type.String({ description })
const closed = { additionalProperties: false }
/** Texts that PostgreSQL can keep: no U+0000, no half of a surrogate pair. */
const keepable = '^[^\\u0000\\p{Cs}]*$'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  ...ofForm(
    "1 to 100 letters, digits, spaces and @ - [ ] ' ! . characters, not all of them spaces",
    "^ *[\\p{L}\\p{N}@\\-\\[\\]'!.][\\p{L}\\p{N} @\\-\\[\\]'!.]*$",
  ),
})
const Description = Type.String({
  maxLength: 1_000,
  ...ofForm('text of at most 1000 characters, without U+0000 and halves of surrogate pairs', keepable),
})
const Uri = Type.String({ minLength: 1, maxLength: 2_000, description: 'Where sign-ins of the app return to.' })
const BrandingId = Type.Integer({ minimum: 1, maximum: 1, description: 'There is one branding, 1.' })
const Instant = Type.String({ format: 'date-time' })
/** As it is asked for: a leap second, :60, would be kept as the second before. */
const Moment = Type.String({ format: 'date-time', pattern: '^.{17}[0-5]' })
const Id = Type.Integer({ minimum: 1, description: 'Its number.' })

export const Branding = Type.Object(
  { Id, Name: text('What it is called.'), Description: text('What it is for.') },
  { title: 'AppBranding' },
)
export const defaultBranding = { Id: 1, Name: 'Default', Description: 'Default sign-in pages' } as const

/** §2.4. */
export const AppRedirect = Type.Object(
  {
    RedirectUriId: Id,
    RedirectUriLabel: maybe(text('A short name.')),
    Uri: text('Where sign-ins return to.'),
    Description: maybe(text('What it is for.')),
    Branding: describe(Branding, 'How its sign-in pages look.'),
  },
  { title: 'AppRedirectUri', examples: [redirectUriExample] },
)
export type AppRedirect = Static<typeof AppRedirect>

/** §2.5. */
export const AppSecret = Type.Object(
  {
    SecretId: Id,
    Secret: maybe(
      Type.String({
        description: 'With a read-only token it is left out; with SECRETS=once it is shortened, except when made.',
      }),
    ),
    ValidFrom: describe(Instant, 'From when on it is accepted.'),
    ValidUntil: describe(Instant, 'Until when it is accepted.'),
  },
  { title: 'AppSecret', examples: [secretExample] },
)
export type AppSecret = Static<typeof AppSecret>

/** §2.3. */
export const App = Type.Object(
  {
    AppKey: text('What it is known by: client_id of its sign-ins.'),
    Name: text('What its users read when they sign in.'),
    Description: text('What it is for.'),
    Flow: AppFlow,
    IsActive: Type.Boolean({ description: 'Whether users can sign in by it.' }),
    IsTradingEnabled: Type.Boolean({ description: 'Whether its tokens may write.' }),
    Status: AppStatus,
    CreatedBy: maybe(
      Type.Object(
        { Name: text('Their name.'), UserKey: text('Their key.') },
        { title: 'AppCreator', description: 'Who made it.' },
      ),
    ),
    Endpoints: Type.Object(
      { AuthorizationEndpoint: text('Where its sign-ins begin.'), TokenEndpoint: text('Where it gets tokens.') },
      { title: 'AppEndpoints', description: 'The addresses that it needs.' },
    ),
    Branding: Type.Array(Branding, { description: 'How sign-in pages may look.' }),
    RedirectUris: Type.Array(AppRedirect, { description: 'Where its sign-ins may return to.' }),
    Secrets: maybe(Type.Array(AppSecret, { description: 'What it proves itself with; absent where not asked for.' })),
  },
  { title: 'App', examples: [appExample] },
)
export type App = Static<typeof App>

export const AppsAnswer = FeedOf(App)
export const RedirectUrisAnswer = FeedOf(AppRedirect)
export const SecretsAnswer = FeedOf(AppSecret)
export const PutRedirectUri = Type.Object(
  {
    Data: describe(AppRedirect, 'As it is now.'),
    FoundAndUpdated: Type.Boolean({ description: 'Whether the app had it already.' }),
  },
  { title: 'PutRedirectUri', examples: [{ Data: redirectUriExample, FoundAndUpdated: false }] },
)

const { $skiptoken, ...bySkip } = pageQuery(appsPage)

/** GET /developer/apps (10). */
export const AppsQuery = Type.Object({
  ...bySkip,
  IncludeSecrets: Type.Boolean({ default: false, description: 'Whether apps are told with their Secrets.' }),
})
/** 15 and 20; 17 takes any of it and ignores it. */
export const PageQuery = Type.Object(bySkip)
export const AuditQuery = Type.Object({ ...bySkip, $skiptoken })

const AppKey = Type.String({
  maxLength: 100,
  description: 'The key of an app of the client.',
  examples: [appExample.AppKey],
})
export const AppParams = Type.Object({ AppKey })
export const RedirectUriParams = Type.Object({
  AppKey,
  RedirectUriId: Type.Integer({ description: 'The number of the redirect URI.', examples: [1] }),
})
export const SecretParams = Type.Object({
  AppKey,
  SecretId: Type.Integer({ description: 'The number of the secret.', examples: [1] }),
})

/** 11. */
export const NewApp = Type.Object(
  {
    Name,
    Description,
    Flow: AppFlow,
    IsTradingEnabled: maybe(
      Type.Boolean({ description: 'Whether its tokens may write; in live this is approved first.' }),
    ),
    RedirectUri: maybe(Uri),
  },
  {
    ...closed,
    title: 'NewApp',
    examples: [
      { Name: 'My charts', Description: 'Charts for me.', Flow: 'PKCE', RedirectUri: 'http://localhost/callback' },
    ],
  },
)
export type NewApp = Static<typeof NewApp>

/** 13. */
export const AppPatch = Type.Object(
  {
    Name: maybe(Name),
    Description: maybe(Description),
    IsActive: maybe(Type.Boolean({ description: 'true makes it active again.' })),
    IsTradingEnabled: maybe(
      Type.Boolean({ description: 'Whether its tokens may write; in live this is approved first.' }),
    ),
  },
  { ...closed, title: 'AppPatch', examples: [{ Description: 'Charts for all of us.' }] },
)
export type AppPatch = Static<typeof AppPatch>

const uriMembers = {
  Description: maybe(Description),
  RedirectUriLabel: maybe(Description),
  BrandingId: maybe(BrandingId),
}
/** 16 and 18. */
export const NewRedirectUri = Type.Object(
  { Uri, ...uriMembers },
  {
    ...closed,
    title: 'NewRedirectUri',
    examples: [{ Uri: 'https://app.example.com/callback', Description: 'Production' }],
  },
)
export type NewRedirectUri = Static<typeof NewRedirectUri>
export const RedirectUriPatch = Type.Object(
  { Uri: maybe(Uri), ...uriMembers },
  { ...closed, title: 'RedirectUriPatch', examples: [{ Description: 'Staging' }] },
)
export type RedirectUriPatch = Static<typeof RedirectUriPatch>

const from = 'From when on it is accepted; past or ahead.'
const until = 'Until when it is accepted: ahead, and at most two years after ValidFrom.'

/** 21 and 23. */
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
    Regenerate: maybe(Type.Boolean({ description: 'A new secret takes the place of this one at once.' })),
  },
  { ...closed, title: 'SecretPatch', examples: [{ Regenerate: true }] },
)
export type SecretPatch = Static<typeof SecretPatch>
