import { wireTime } from '../../core/clock.ts'
import { isTradingEnabled } from '../rules/app-state.ts'
import { type SecretsMode, shownSecret } from '../secrets.ts'
import type { OwnApp, OwnRedirectUri, OwnSecret } from '../store/manage.ts'
import { type App, type AppRedirect, type AppSecret, defaultBranding } from './schema.ts'

/** How apps are told: by which service, and whether its caller is shown secrets. */
export type ViewOptions = Readonly<{
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

export function secretView(viewOptions: ViewOptions, appKey: string, secret: OwnSecret): AppSecret {
  const { secretKey, mode, showsSecrets } = viewOptions
  return {
    SecretId: secret.id,
    ...(showsSecrets && { Secret: shownSecret(secretKey, appKey, secret, mode).text }),
    ValidFrom: wireTime(secret.validFrom),
    ValidUntil: wireTime(secret.validUntil),
  }
}

/** §2.3; without `Secrets` where they were not asked for. */
export function appView(viewOptions: ViewOptions, app: OwnApp, withSecrets = true): App {
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
      AuthorizationEndpoint: `${viewOptions.publicUrl}/authorize`,
      TokenEndpoint: `${viewOptions.publicUrl}/token`,
    },
    Branding: [defaultBranding],
    RedirectUris: app.redirectUris.map(redirectView),
    ...(withSecrets && { Secrets: app.secrets.map((secret) => secretView(viewOptions, app.appKey, secret)) }),
  }
}

/** Whether an answer about these secrets tells one that opens something: that is logged. */
export function revealsSecret(viewOptions: ViewOptions, { appKey, secrets }: OwnApp): boolean {
  const { secretKey, mode, showsSecrets } = viewOptions
  return showsSecrets && secrets.some((secret) => shownSecret(secretKey, appKey, secret, mode).isWhole)
}
