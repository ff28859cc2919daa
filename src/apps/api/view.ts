import { wireTime } from '../../core/clock.ts'
import { isTradingEnabled } from '../rules/app-state.ts'
import { displaySecret, type SecretsMode } from '../secrets.ts'
import type { StoredApp, StoredRedirectUri, StoredSecret } from '../store/apps.ts'
import { type App, type AppRedirect, type AppSecret, defaultBranding, manualOrders } from './schema.ts'

export type ViewOptions = Readonly<{
  publicUrl: string
  secretKey: Buffer
  mode: SecretsMode
  /** A read-only token sees that there are secrets, but not their values (§5.4). */
  showsSecrets: boolean
}>

export function redirectView({ id, uri, label, description }: StoredRedirectUri): AppRedirect {
  return {
    RedirectUriId: id,
    ...(label !== null && { RedirectUriLabel: label }),
    Uri: uri,
    ...(description !== null && { Description: description }),
    Branding: defaultBranding,
  }
}

export function secretView(options: ViewOptions, appKey: string, secret: StoredSecret): AppSecret {
  const { secretKey, mode, showsSecrets } = options
  return {
    SecretId: secret.id,
    ...(showsSecrets && { Secret: displaySecret(secretKey, appKey, secret, mode).text }),
    ValidFrom: wireTime(secret.validFrom),
    ValidUntil: wireTime(secret.validUntil),
  }
}

export function appView(options: ViewOptions, app: StoredApp, withSecrets = true): App {
  return {
    AppKey: app.appKey,
    Name: app.name,
    Description: app.description,
    Flow: app.flow,
    IsActive: app.isActive,
    IsTradingEnabled: isTradingEnabled(app),
    ...manualOrders,
    Status: app.status,
    ...(app.createdBy && { CreatedBy: app.createdBy }),
    Endpoints: {
      AuthorizationEndpoint: `${options.publicUrl}/authorize`,
      TokenEndpoint: `${options.publicUrl}/token`,
    },
    Branding: [defaultBranding],
    RedirectUris: app.redirectUris.map(redirectView),
    ...(withSecrets && { Secrets: app.secrets.map((secret) => secretView(options, app.appKey, secret)) }),
  }
}

/** Whether a response with these secrets contains a complete one, which must be logged. */
export function revealsSecret(options: ViewOptions, { appKey, secrets }: StoredApp): boolean {
  const { secretKey, mode, showsSecrets } = options
  return showsSecrets && secrets.some((secret) => displaySecret(secretKey, appKey, secret, mode).isComplete)
}
