import type { SecretUsage } from '../../../apps/api/extension-schema.ts'
import type { App } from '../../../apps/api/schema.ts'
import { secretName } from '../../../core/app.ts'
import type { Tone } from '../../shared/elements.ts'

export type SecretUse = Readonly<SecretUsage>

export const nameOf = ({ SecretId, LastFour }: SecretUse): string => secretName(SecretId, LastFour)

/** Inactive apps make no calls, so they come last wherever one is chosen. */
export const activeFirst = <Row extends Pick<App, 'IsActive'>>(apps: readonly Row[]): Row[] =>
  apps.toSorted((one, other) => Number(other.IsActive) - Number(one.IsActive))

export type SecretState = 'valid' | 'upcoming' | 'expired'

const soonDays = 14

const isUpTo = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) <= 0

/** ValidFrom is inclusive, ValidUntil exclusive (§8.4). */
export function stateOf({ ValidFrom, ValidUntil }: SecretUse, now: Temporal.Instant): SecretState {
  if (isUpTo(Temporal.Instant.from(ValidUntil), now)) return 'expired'
  return isUpTo(Temporal.Instant.from(ValidFrom), now) ? 'valid' : 'upcoming'
}

export function expiresSoon(secret: SecretUse, now: Temporal.Instant): boolean {
  const soon = now.add({ hours: soonDays * 24 })
  return stateOf(secret, now) === 'valid' && isUpTo(Temporal.Instant.from(secret.ValidUntil), soon)
}

/** The valid secret that expires last: the one to give to a client. */
export function longestSecret(secrets: readonly SecretUse[], now: Temporal.Instant): SecretUse | undefined {
  const end = ({ ValidUntil }: SecretUse) => Temporal.Instant.from(ValidUntil)
  const valid = secrets.filter((secret) => stateOf(secret, now) === 'valid')
  return valid.toSorted((a, b) => Temporal.Instant.compare(end(b), end(a)))[0]
}

export function secretSummary(
  flow: App['Flow'],
  secrets: readonly SecretUse[],
  now: Temporal.Instant,
): { word: string; tone?: Tone } {
  if (flow !== 'Code') return { word: 'not needed' }
  const valid = secrets.filter((secret) => stateOf(secret, now) === 'valid')
  if (valid.length === 0) return { word: 'none valid', tone: 'bad' }
  // An expiring secret is no problem if another one is valid for longer.
  if (valid.every((secret) => expiresSoon(secret, now)))
    return { word: `${valid.length} valid, expiring soon`, tone: 'warn' }
  return { word: `${valid.length} valid`, tone: 'good' }
}

export const overlapDays = 7

export type Rotation = ReturnType<typeof planRotation>

/** A new secret for one year. Secrets in use stay valid during the overlap, so running clients keep working. */
export function planRotation(secrets: readonly SecretUse[], now: Temporal.Instant) {
  const overlapEnd = now.add({ hours: overlapDays * 24 })
  const startsLater = ({ ValidFrom }: SecretUse) => isUpTo(overlapEnd, Temporal.Instant.from(ValidFrom))
  const endsLater = ({ ValidUntil }: SecretUse) => !isUpTo(Temporal.Instant.from(ValidUntil), overlapEnd)
  return {
    validFrom: now,
    validUntil: now.toZonedDateTimeISO('UTC').add({ years: 1 }).toInstant(),
    overlapEnd,
    shortened: secrets.filter((secret) => endsLater(secret) && !startsLater(secret)),
    unchanged: secrets.filter(startsLater),
  }
}

export function statusOf({ IsActive, Status }: App): { word: string; tone?: Tone } {
  if (!IsActive) return { word: 'Inactive' }
  return Status === 'OK' ? { word: 'Active', tone: 'good' } : { word: 'Pending', tone: 'warn' }
}

/** True for the abbreviation that SECRETS=once, or an import by hash, shows instead of the secret. */
export const isShortened = (secret: string): boolean => /^(.{4}….{4}|…)$/su.test(secret)

/** The "app object" that client libraries read. Its base URL ends with a slash, because they append `port/v1/...`. */
export function appObject(app: App, baseUrl: string, secret: string | undefined): string {
  const object = {
    AppName: app.Name,
    AppKey: app.AppKey,
    ...app.Endpoints,
    GrantType: app.Flow,
    OpenApiBaseUrl: `${baseUrl}/`,
    RedirectUrls: app.RedirectUris.map(({ Uri }) => Uri),
    ...(secret !== undefined && { AppSecret: secret }),
  }
  return JSON.stringify(object, undefined, 2)
}

/** The value of a date-time field: `2026-12-18T09:30`. */
export const localMinute = (at: Temporal.Instant | string, zone: string): string =>
  Temporal.Instant.from(String(at)).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })

export function instantOf(local: string, zone: string): string | undefined {
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant().toString()
  } catch {
    return undefined
  }
}

/** Whether no other secret is valid, so that deleting it would end all sessions of the app. */
export function isLastValid(secret: SecretUse, secrets: readonly SecretUse[], now: Temporal.Instant): boolean {
  const valid = secrets.filter((each) => stateOf(each, now) === 'valid')
  return valid.length === 1 && valid[0] === secret
}
