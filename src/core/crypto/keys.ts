import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'

/** 32 lower-case hex digits: app keys, secrets, session ids. */
export const randomHex = (): string => randomBytes(16).toString('hex')

/** 24 hex digits, not a secret. */
export const randomRequestId = (): string => randomUUID().replaceAll('-', '').slice(8)

/** 128 random bits that look like a GUID: codes and refresh tokens (randomUUID would have 122). */
export function randomGuid(): string {
  const hex = randomHex()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** UserKey, ClientKey, AccountKey: base64 of 16 bytes in the interface's own alphabet, padded. */
export function entityKey(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '|')
}

export const randomEntityKey = (): string => entityKey(randomBytes(16))

export const entityKeyPattern = '^[A-Za-z0-9|-]{21}[AQgw]==$'

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A separate key for every purpose, so that a value sealed for one cannot be unsealed for another. */
export function deriveKey(master: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `refdesk ${purpose}`, 32))
}

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM; the context is authenticated, so a sealed value cannot be moved to another row. */
export function seal(key: Uint8Array, plain: string | Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = cipher.update(plain)
  // GCM encrypts byte by byte, so `final` only completes the tag.
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Throws if the key is wrong or a byte was changed. */
export function unseal(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

/** A hash that cannot be computed without the key, for names that may turn out to be passwords. */
export const keyedHash = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest()
