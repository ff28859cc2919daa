import { deriveKey, equalInConstantTime, keyedHash } from '../core/crypto/keys.ts'

/** How long a key can be used: long enough to connect. */
const validMs = 60_000
/** How far the clocks of two machines may differ. */
const skewMs = 60_000

const signature = (masterKey: Uint8Array, until: string): string =>
  keyedHash(deriveKey(masterKey, 'request log'), until).toString('hex')

/** The key of `refdesk log` and `refdesk import`, made from MASTER_KEY: for the request log and the revision, for a minute. */
export function makeOperatorKey(masterKey: Uint8Array, realNowMs: number): string {
  const until = String(realNowMs + validMs)
  return `${until}.${signature(masterKey, until)}`
}

export function isOperatorKey(masterKey: Uint8Array, key: string, realNowMs: number): boolean {
  const [, until = '', signed = ''] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(key) ?? []
  const left = Number(until) - realNowMs
  if (signed === '' || left <= 0 || left > validMs + skewMs) return false
  return equalInConstantTime(Buffer.from(signed), Buffer.from(signature(masterKey, until)))
}
