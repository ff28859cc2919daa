import { wireTime } from '../../core/clock.ts'
import { isTradingEnabled } from '../rules/app-state.ts'
import { type SecretsMode, shownSecret } from '../secrets.ts'
import type { OwnApp, OwnRedirectUri, OwnSecret } from '../store/manage.ts'
import { type App, type AppRedirect, type AppSecret, defaultBranding } from './schema.ts'

/** How apps are told: by which service, and whether its caller is shown secrets. */
export type Telling = Readonly<{
  publicUrl: string
  secretKey: Buffer
  mode: SecretsMode
  /** A read-only token is told that there are secrets, and not what they are (contract §5). */
  showsSecrets: boolean
}>

export function redirectView({ id, uri, label, description }: OwnRedirectUri): AppRedirect {
  return {
    RedirectUriId: id,
    ...(label !== null && { RedirectUriLabel: label }),
    Uri: uri,
    ...(description !== null && { Description: description }),
    Branding: defaultBranding,
  }
}

export function secretView(telling: Telling, appKey: string, secret: OwnSecret): AppSecret {
  const { secretKey, mode, showsSecrets } = telling
  return {
    SecretId: secret.id,
    ...(showsSecrets && { Secret: shownSecret(secretKey, appKey, secret, mode).text }),
    ValidFrom: wireTime(secret.validFrom),
    ValidUntil: wireTime(secret.validUntil),
  }
}

/** §2.3; without `Secrets` where they were not asked for. */
export function appView(telling: Telling, app: OwnApp, withSecrets = true): App {
  return {
    AppKey: app.appKey,
    Name: app.name,
    Description: app.description,
    Flow: app.flow,
    IsActive: app.isActive,
    IsTradingEnabled: isTradingEnabled(app),
    Status: app.status,
    ...(app.createdBy && { CreatedBy: app.createdBy }),
    Endpoints: {
      AuthorizationEndpoint: `${telling.publicUrl}/authorize`,
      TokenEndpoint: `${telling.publicUrl}/token`,
    },
    Branding: [defaultBranding],
    RedirectUris: app.redirectUris.map(redirectView),
    ...(withSecrets && { Secrets: app.secrets.map((secret) => secretView(telling, app.appKey, secret)) }),
  }
}

/** Whether an answer about these secrets tells one that opens something: that is logged. */
export function revealsSecret(telling: Telling, { appKey, secrets }: OwnApp): boolean {
  const { secretKey, mode, showsSecrets } = telling
  return showsSecrets && secrets.some((secret) => shownSecret(secretKey, appKey, secret, mode).isWhole)
}
