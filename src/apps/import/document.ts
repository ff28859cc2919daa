import { type Static, Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { AppFlow, AppStatus, AuthorizationLevel } from '../../core/app.ts'
import { matching } from '../../core/schema.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ maxLength: 2_000 })
const Instant = Type.String({ format: 'date-time' })

const RedirectUri = Type.Object(
  {
    Uri: Type.String({ minLength: 1, maxLength: 2_000 }),
    Description: Type.Optional(Text),
    RedirectUriLabel: Type.Optional(Text),
  },
  { ...closed, examples: [{ Uri: 'https://app.example/callback' }] },
)

const Secret = Type.Object(
  {
    SecretSha256: Type.Optional(Type.String(matching('64 lower-case hex digits', '^[0-9a-f]{64}$'))),
    Secret: Type.Optional(Type.String({ minLength: 16, maxLength: 200 })),
    ValidFrom: Type.Optional(Instant),
    ValidUntil: Type.Optional(Instant),
  },
  { ...closed, examples: [{ Secret: '…' }] },
)

/** An app in an import file (§9.1). `refdesk export` writes secrets as hashes only. */
export const AppDocument = Type.Object(
  {
    AppKey: Type.String(matching('32 lower-case hex digits', '^[0-9a-f]{32}$')),
    ClientKey: Type.Optional(EntityKey),
    Name: Type.String({ minLength: 1, maxLength: 200 }),
    Description: Type.Optional(Text),
    Flow: AppFlow,
    IsActive: Type.Optional(Type.Boolean()),
    Status: Type.Optional(AppStatus),
    Levels: Type.Optional(Type.Object({ Online: AuthorizationLevel, Offline: AuthorizationLevel }, closed)),
    CreatedBy: Type.Optional(EntityKey),
    CreatedAt: Type.Optional(Instant),
    RedirectUris: Type.Optional(Type.Array(RedirectUri, { maxItems: 1_000 })),
    Secrets: Type.Optional(Type.Array(Secret, { maxItems: 100 })),
  },
  closed,
)
export type AppDocument = Static<typeof AppDocument>

type StagedSecret = { SecretSha256: string; sealed?: string; ValidFrom?: string; ValidUntil?: string }
/** An app in the staging table: secrets are hashed, and also sealed if they were imported in clear. */
export type StagedApp = Omit<AppDocument, 'Secrets'> & { Secrets: StagedSecret[] }
/** With the defaults of what the record omits. */
export type CompleteApp = Required<Omit<StagedApp, 'ClientKey' | 'CreatedBy' | 'Secrets'>> &
  Pick<StagedApp, 'ClientKey' | 'CreatedBy'> & { Secrets: (StagedSecret & { ValidFrom: string; ValidUntil: string })[] }
