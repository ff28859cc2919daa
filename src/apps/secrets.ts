import { deriveKey, randomHex, seal, sha256, unseal } from '../core/crypto/keys.ts'
import type { StoredSecret } from './store/apps.ts'
import type { SecretValue } from './store/manage.ts'

/** `listed`: owners can read a secret again. `once`: only the response that creates it contains it (§8.4). */
export type SecretsMode = 'listed' | 'once'

export const secretSealKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'app secrets')

/** Binds a sealed secret to its app: copied to another app's row it cannot be opened. */
const secretContext = (appKey: string): string => `secret of ${appKey}`

/** Seals what may be displayed later: all of the secret, or its shortened form. */
export function sealSecret(key: Buffer, appKey: string, plain: string, mode: SecretsMode): Buffer {
  return seal(key, mode === 'once' ? shorten(plain) : plain, secretContext(appKey))
}

/** A new secret: hashed for authentication, sealed for display. */
export function generateSecret(key: Buffer, appKey: string, mode: SecretsMode): SecretValue & { plain: string } {
  const plain = randomHex()
  return { plain, sha256: sha256(plain), sealed: sealSecret(key, appKey, plain, mode) }
}

/** What the owner sees of a stored secret, and whether that is all of it. */
export function displaySecret(key: Buffer, appKey: string, { sealed }: StoredSecret, mode: SecretsMode) {
  // Imported as a hash: its value is unknown.
  if (sealed === null) return { text: '…', isComplete: false }
  const stored = unseal(key, sealed, secretContext(appKey)).toString()
  const text = mode === 'once' ? shorten(stored) : stored
  return { text, isComplete: !isShortened(text) }
}

/** The end of a stored secret, by which people recognise it. Undefined if it was imported as a hash. */
export function lastFourOf(key: Buffer, appKey: string, { sealed }: StoredSecret): string | undefined {
  return sealed === null ? undefined : [...unseal(key, sealed, secretContext(appKey)).toString()].slice(-4).join('')
}

/** A complete secret never looks like this: it has at least 16 characters. */
const isShortened = (secret: string): boolean => /^.{4}….{4}$/su.test(secret)

/** abcd…wxyz: enough to distinguish two. */
function shorten(secret: string): string {
  if (isShortened(secret)) return secret
  const characters = [...secret]
  return [...characters.slice(0, 4), '…', ...characters.slice(-4)].join('')
}

/** Appended to a secret that a command prints. */
export const shownOnceNote = (mode: SecretsMode): string => (mode === 'once' ? ', shown only this once' : '')
