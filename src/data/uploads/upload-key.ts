import { deriveKey } from '../../core/crypto/keys.ts'

/** What uploads are sealed with. */
export const uploadKey = (masterKey: Uint8Array): Buffer => deriveKey(masterKey, 'import upload')
