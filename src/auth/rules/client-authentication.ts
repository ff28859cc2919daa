import { isValidAt, type SecretTimes } from '../../apps/rules/secret-times.ts'
import type { StoredApp } from '../../apps/store/apps.ts'
import type { Flow } from '../../core/app.ts'

/** One value per name: repeated parameters are rejected and empty ones omitted before (RFC 6749 §3.2). */
export type Form = Readonly<Record<string, string | undefined>>

export type Credentials = Readonly<{ appKey: string; secret: string | undefined; usedBasic: boolean }>

export type ReadCredentials =
  | { kind: 'credentials'; credentials: Credentials }
  | { kind: 'none' | 'unreadable' }
  | { kind: 'malformed'; description: string }

/** The credentials of the app: HTTP Basic, or client_id and client_secret in the body (§4.7). */
export function readCredentials(authorization: string | undefined, form: Form): ReadCredentials {
  const basic = authorization === undefined ? undefined : /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)
  if (authorization !== undefined && /^basic( |$)/i.test(authorization)) {
    const parts = basic?.[1] === undefined ? undefined : splitBasic(basic[1])
    if (!parts) return { kind: 'unreadable' }
    if (form.client_secret !== undefined)
      return { kind: 'malformed', description: 'client_secret was sent in addition to HTTP Basic; send one of them.' }
    if (form.client_id !== undefined && form.client_id !== parts.appKey)
      return { kind: 'malformed', description: 'client_id differs from the user name of HTTP Basic.' }
    return { kind: 'credentials', credentials: { ...parts, usedBasic: true } }
  }
  const appKey = form.client_id
  if (!appKey) return { kind: 'none' }
  return { kind: 'credentials', credentials: { appKey, secret: form.client_secret, usedBasic: false } }
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1); others are taken verbatim. */
function splitBasic(encoded: string): { appKey: string; secret: string | undefined } | undefined {
  const text = tried(() => atob(encoded.replaceAll('-', '+').replaceAll('_', '/')))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 1) return undefined
  // An empty secret counts as none (RFC 6749 §2.3.1): some libraries always send Basic.
  return { appKey: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) || undefined }
}

function tried(decode: () => string): string | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}

const formDecode = (text: string): string => tried(() => decodeURIComponent(text.replaceAll('+', ' '))) ?? text

type SecretFacts = SecretTimes & Readonly<{ id: number; sha256: Uint8Array }>
export type ClientFacts = Pick<StoredApp, 'flow' | 'isActive'> & Readonly<{ secrets: readonly SecretFacts[] }>

/** What the app authenticated with: the id of the secret, or `public` for an app without one. Undefined if it failed. Compares
 *  every secret, so that the time does not reveal which one matches. */
export function authenticateApp(
  app: ClientFacts | undefined,
  secret: string | undefined,
  nowMs: number,
  matches: (secret: string, sha256: Uint8Array) => boolean,
): string | undefined {
  if (!app?.isActive) return undefined
  if (app.flow !== 'Code') return secret === undefined ? 'public' : undefined
  if (secret === undefined) return undefined
  const valid = app.secrets.filter((candidate) => matches(secret, candidate.sha256) && isValidAt(candidate, nowMs))
  return valid[0] && String(valid[0].id)
}

/** Implicit apps have nothing to exchange or refresh (§4.6). */
export const mayUseGrant = (flow: Flow): boolean => flow !== 'Implicit'
