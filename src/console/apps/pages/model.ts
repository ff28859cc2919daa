import type { App } from '../../../apps/api/schema.ts'
import type { Tone } from '../../shared/elements.ts'

/** A secret without the secret, as /x/v1/apps/{AppKey}/usage tells it. */
export type SecretUse = Readonly<{
  SecretId: number
  /** What people call it by: its place among those of the app. Ids are of the whole service. */
  nth: number
  ValidFrom: string
  ValidUntil: string
  LastUsedAt?: string
}>

export type SecretState = 'valid' | 'coming' | 'ended'

/** What ends within this time is worth a word. */
const soonDays = 14

const isUpTo = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) <= 0

/** Valid from its first instant on, and at its last no more. */
export function stateOf({ ValidFrom, ValidUntil }: SecretUse, now: Temporal.Instant): SecretState {
  if (isUpTo(Temporal.Instant.from(ValidUntil), now)) return 'ended'
  return isUpTo(Temporal.Instant.from(ValidFrom), now) ? 'valid' : 'coming'
}

export function endsSoon(secret: SecretUse, now: Temporal.Instant): boolean {
  const soon = now.add({ hours: soonDays * 24 })
  return stateOf(secret, now) === 'valid' && isUpTo(Temporal.Instant.from(secret.ValidUntil), soon)
}

/** The secret that lives longest of those valid now: the one to hand to a client. */
export function bestSecret(secrets: readonly SecretUse[], now: Temporal.Instant): SecretUse | undefined {
  return secrets
    .filter((secret) => stateOf(secret, now) === 'valid')
    .toSorted((a, b) => -compareEnds(a, b))
    .at(0)
}

const compareEnds = (a: SecretUse, b: SecretUse): number =>
  Temporal.Instant.compare(Temporal.Instant.from(a.ValidUntil), Temporal.Instant.from(b.ValidUntil))

/** A few words on the secrets of an app, for the list. */
export function secretsInBrief(
  flow: App['Flow'],
  secrets: readonly SecretUse[],
  now: Temporal.Instant,
): { word: string; tone?: Tone } {
  if (flow !== 'Code') return { word: 'needs none' }
  const valid = secrets.filter((secret) => stateOf(secret, now) === 'valid')
  if (valid.length === 0) return { word: 'none valid', tone: 'bad' }
  // A successor that is there already makes the end of another a plan, not a danger.
  if (valid.every((secret) => endsSoon(secret, now)))
    return { word: `${valid.length} valid, ending soon`, tone: 'warn' }
  return { word: `${valid.length} valid`, tone: 'good' }
}

export const overlapDays = 7

export type Rotation = Readonly<{
  /** Of the new secret. */
  validFrom: Temporal.Instant
  validUntil: Temporal.Instant
  overlapEnd: Temporal.Instant
  /** Those that now end with the overlap. */
  shortened: readonly SecretUse[]
  /** Those that were planned to begin after it: somebody meant that, and it is left. */
  left: readonly SecretUse[]
}>

/** A new secret for a year; what is in use goes on for the overlap, so that no running client is locked out. */
export function planRotation(secrets: readonly SecretUse[], now: Temporal.Instant): Rotation {
  const overlapEnd = now.add({ hours: overlapDays * 24 })
  const beginsLater = ({ ValidFrom }: SecretUse) => isUpTo(overlapEnd, Temporal.Instant.from(ValidFrom))
  const endsLater = ({ ValidUntil }: SecretUse) => !isUpTo(Temporal.Instant.from(ValidUntil), overlapEnd)
  return {
    validFrom: now,
    validUntil: now.toZonedDateTimeISO('UTC').add({ years: 1 }).toInstant(),
    overlapEnd,
    shortened: secrets.filter((secret) => endsLater(secret) && !beginsLater(secret)),
    left: secrets.filter(beginsLater),
  }
}

export function statusOf({ IsActive, Status }: App): { word: string; tone?: Tone } {
  if (!IsActive) return { word: 'Inactive' }
  return Status === 'OK' ? { word: 'Active', tone: 'good' } : { word: 'Pending', tone: 'warn' }
}

/** Not the secret, but what SECRETS=once, or an import by hash, leaves of it. */
export const isShortened = (secret: string): boolean => /^(.{4}….{4}|…)$/su.test(secret)

/**
 * The "app object" that client libraries of this interface read their settings from: these names, with AppSecret for the
 * code flow only. The base address ends with a slash, since they add `port/v1/...` to it as it is.
 */
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

/** `2026-12-18T09:30` of an instant in a zone, as a field for date and time has it. */
export function localMinute(at: Temporal.Instant | string, zone: string): string {
  return Temporal.Instant.from(String(at))
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

/** What was typed into such a field; undefined when it is no time. */
export function instantOf(local: string, zone: string): string | undefined {
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant().toString()
  } catch {
    return undefined
  }
}
