import { deriveKey, randomHex, seal, sha256, unseal } from '../core/crypto/keys.ts'
import type { OwnSecret, SecretValue } from './store/manage.ts'

/** `listed`: owners can read a secret again. `once`: only the answer that made it has the whole of it (contract §4). */
export type SecretsMode = 'listed' | 'once'

export const secretSealKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'app secrets')

/** What a sealed secret is bound to: moved to another app's row it does not open. */
const secretContext = (appKey: string): string => `secret of ${appKey}`

/** As much of a secret as will be shown. */
export function sealSecret(key: Buffer, appKey: string, plain: string, mode: SecretsMode): Buffer {
  return seal(key, mode === 'once' ? shortened(plain) : plain, secretContext(appKey))
}

export type MadeSecret = SecretValue & Readonly<{ plain: string }>

/** A new secret: hashed for checking, and sealed for listing. */
export function makeSecret(key: Buffer, appKey: string, mode: SecretsMode): MadeSecret {
  const plain = randomHex()
  return { plain, sha256: sha256(plain), sealed: sealSecret(key, appKey, plain, mode) }
}

/** What its owner is shown of a secret later, and whether that is the secret itself. */
export function shownSecret(
  key: Buffer,
  appKey: string,
  { sealed }: OwnSecret,
  mode: SecretsMode,
): { text: string; isWhole: boolean } {
  // Imported by its hash: nobody here has ever known it.
  if (sealed === null) return { text: '…', isWhole: false }
  const kept = unseal(key, sealed, secretContext(appKey)).toString()
  const text = mode === 'once' ? shortened(kept) : kept
  return { text, isWhole: !isShortened(text) }
}

/** Nothing whole looks so: a secret has at least 16 characters. */
const isShortened = (secret: string): boolean => /^.{4}….{4}$/su.test(secret)

/** abcd…wxyz: enough to tell two apart. One that is shortened already stays as it is. */
function shortened(secret: string): string {
  if (isShortened(secret)) return secret
  const characters = [...secret]
  return [...characters.slice(0, 4), '…', ...characters.slice(-4)].join('')
}

/** What a command says of a secret that it prints. */
export const onceOnly = (mode: SecretsMode): string => (mode === 'once' ? ' and shown this once' : '')
