import { type Static, Type } from 'typebox'
import { ofForm, oneOf } from '../core/schema.ts'
import { FeedOf, pageQuery } from '../http/feed.ts'

/** Operations 10, 15 and 20 (contract §2). */
export const appsPage = { defaultTop: 20, maxTop: 1_000 } as const
/** Contract §8. */
export const mostApps = 100
export const mostRedirectUris = 50
export const mostSecrets = 10

const maybe = Type.Optional
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
const Flow = oneOf('Code', 'PKCE', 'Implicit')
const Instant = Type.String({ format: 'date-time' })
/** As it is asked for: a leap second, :60, would be kept as the second before. */
const Moment = Type.String({ format: 'date-time', pattern: '^.{17}[0-5]' })
const Id = Type.Integer({ minimum: 1 })

export const Branding = Type.Object({ Id, Name: Type.String(), Description: Type.String() })
export const defaultBranding = { Id: 1, Name: 'Default', Description: 'Default sign-in pages' } as const

/** §2.4. */
export const AppRedirect = Type.Object({
  RedirectUriId: Id,
  RedirectUriLabel: maybe(Type.String()),
  Uri: Type.String(),
  Description: maybe(Type.String()),
  Branding,
})
export type AppRedirect = Static<typeof AppRedirect>

/** §2.5. */
export const AppSecret = Type.Object({
  SecretId: Id,
  Secret: maybe(
    Type.String({
      description: 'With a read-only token it is left out; with SECRETS=once it is shortened, except when made.',
    }),
  ),
  ValidFrom: Instant,
  ValidUntil: Instant,
})
export type AppSecret = Static<typeof AppSecret>

/** §2.3. */
export const App = Type.Object({
  AppKey: Type.String(),
  Name: Type.String(),
  Description: Type.String(),
  Flow,
  IsActive: Type.Boolean(),
  IsTradingEnabled: Type.Boolean(),
  Status: oneOf('OK', 'Pending', 'PendingUserApprovalCheck'),
  CreatedBy: maybe(Type.Object({ Name: Type.String(), UserKey: Type.String() })),
  Endpoints: Type.Object({ AuthorizationEndpoint: Type.String(), TokenEndpoint: Type.String() }),
  Branding: Type.Array(Branding),
  RedirectUris: Type.Array(AppRedirect),
  Secrets: maybe(Type.Array(AppSecret)),
})
export type App = Static<typeof App>

export const AppsAnswer = FeedOf(App)
export const RedirectUrisAnswer = FeedOf(AppRedirect)
export const SecretsAnswer = FeedOf(AppSecret)
export const PutRedirectUri = Type.Object({ Data: AppRedirect, FoundAndUpdated: Type.Boolean() })

const { $skiptoken, ...bySkip } = pageQuery(appsPage)

/** GET /developer/apps (10). */
export const AppsQuery = Type.Object({
  ...bySkip,
  IncludeSecrets: Type.Boolean({ default: false, description: 'Whether apps are told with their Secrets.' }),
})
/** 15 and 20; 17 takes any of it and ignores it. */
export const PageQuery = Type.Object(bySkip)
export const AuditQuery = Type.Object({ ...bySkip, $skiptoken })

const AppKey = Type.String({ maxLength: 100, examples: ['0123456789abcdef0123456789abcdef'] })
export const AppParams = Type.Object({ AppKey })
export const RedirectUriParams = Type.Object({ AppKey, RedirectUriId: Type.Integer() })
export const SecretParams = Type.Object({ AppKey, SecretId: Type.Integer() })

/** 11. */
export const NewApp = Type.Object(
  { Name, Description, Flow, IsTradingEnabled: maybe(Type.Boolean()), RedirectUri: maybe(Uri) },
  closed,
)
export type NewApp = Static<typeof NewApp>

/** 13. */
export const AppPatch = Type.Object(
  {
    Name: maybe(Name),
    Description: maybe(Description),
    IsActive: maybe(Type.Boolean()),
    IsTradingEnabled: maybe(Type.Boolean()),
  },
  closed,
)
export type AppPatch = Static<typeof AppPatch>

const uriMembers = {
  Description: maybe(Description),
  RedirectUriLabel: maybe(Description),
  BrandingId: maybe(BrandingId),
}
/** 16 and 18. */
export const NewRedirectUri = Type.Object({ Uri, ...uriMembers }, closed)
export type NewRedirectUri = Static<typeof NewRedirectUri>
export const RedirectUriPatch = Type.Object({ Uri: maybe(Uri), ...uriMembers }, closed)
export type RedirectUriPatch = Static<typeof RedirectUriPatch>

/** 21 and 23. */
export const NewSecret = Type.Object({ ValidFrom: Moment, ValidUntil: Moment }, closed)
export const SecretPatch = Type.Object(
  {
    ValidFrom: maybe(Moment),
    ValidUntil: maybe(Moment),
    Regenerate: maybe(Type.Boolean({ description: 'A new secret takes the place of this one at once.' })),
  },
  closed,
)
export type SecretPatch = Static<typeof SecretPatch>
