import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { compactVerify, errors } from 'jose'
import { singleFlight } from '../core/async/single-flight.ts'
import type { Caller } from '../core/caller.ts'
import { epochSeconds, type TravelClock } from '../core/clock.ts'
import { deriveKey, unseal } from '../core/crypto/keys.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { type AccessClaims, callerOf } from './rules/access-token.ts'
import { type KeyState, keyStates } from './rules/signing-keys.ts'
import { listKeys, maintainKeys, type StoredKey } from './store/keys.ts'

const tokenType = 'at+jwt'

export const signingSealKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'signing keys')

export type NewClaims = Omit<AccessClaims, 'iss' | 'aud'> & Readonly<{ aud?: string }>

type OpenKey = StoredKey & Readonly<{ publicKey: KeyObject; privateKey: KeyObject }>
type Addresses = Readonly<{ issuer: string; audience: string }>

/** Issues and verifies access tokens. The signing keys are sealed in the database and open only in memory. */
export class AccessTokens {
  readonly #db: Db
  readonly #clock: TravelClock
  readonly #sealKey: Buffer
  readonly #addresses: Addresses
  #keys: OpenKey[] = []
  #readAt = Number.NEGATIVE_INFINITY
  /** One read at a time: a slower older read must not restore a removed key. */
  readonly #readNext = singleFlight(() => this.#read())

  constructor(db: Db, clock: TravelClock, masterKey: Buffer, addresses: Addresses, feed: ChangeFeed) {
    this.#db = db
    this.#clock = clock
    this.#sealKey = signingSealKey(masterKey)
    this.#addresses = addresses
    feed.on('key', () => this.#readNext())
    feed.onGap(() => this.#readNext())
  }

  async load(): Promise<void> {
    await this.maintainKeys()
    await this.#readNext()
  }

  /** Rotates the keys if due, by real time: a time travel must not leave the service without a key. */
  async maintainKeys(): Promise<void> {
    await maintainKeys(this.#db, this.#sealKey, this.#clock.real.now(), false)
  }

  async #read(): Promise<void> {
    this.#readAt = performance.now()
    this.#keys = (await listKeys(this.#db)).map((key) => ({
      ...key,
      publicKey: createPublicKey({ key: { ...key.publicJwk, kty: 'EC' }, format: 'jwk' }),
      privateKey: createPrivateKey({
        key: unseal(this.#sealKey, key.privateSealed, key.kid),
        format: 'der',
        type: 'pkcs8',
      }),
    }))
  }

  #keysIn(isWanted: (state: KeyState | undefined) => boolean): OpenKey[] {
    const states = keyStates(this.#keys, this.#clock.real.now())
    return this.#keys.filter(({ kid }) => isWanted(states.get(kid)))
  }

  /** The keys for verifiers, including the next one, so that they know it before a rotation (RFC 7517). */
  publishedKeys(): Record<string, string>[] {
    const keys = this.#keysIn((state) => state !== 'gone')
    return keys.map(({ publicJwk, kid }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' }))
  }

  /** Signs without jose, which takes twice as long (docs/decisions/0005). */
  issue(claims: NewClaims): string {
    const [active] = this.#keysIn((state) => state === 'active')
    if (!active) throw new Error('No signing key is active.')
    const { kid, privateKey: key } = active
    const { issuer: iss, audience: aud } = this.#addresses
    const input = `${base64url({ alg: 'ES256', typ: tokenType, kid })}.${base64url({ iss, aud, ...claims })}`
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    return `${input}.${signature.toString('base64url')}`
  }

  /** The claims of a token with a valid signature; does not check the claims. */
  async open(token: string): Promise<Partial<AccessClaims> | undefined> {
    try {
      const verified = await compactVerify(token, ({ kid }) => this.#verifyingKey(kid), { algorithms: ['ES256'] })
      if (verified.protectedHeader.typ !== tokenType) return undefined
      return JSON.parse(Buffer.from(verified.payload).toString()) as Partial<AccessClaims>
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  /** The caller, if the token is for this audience: by default the REST API. */
  callerOf(claims: Partial<AccessClaims>, audience = this.#addresses.audience): Caller | undefined {
    const { issuer } = this.#addresses
    return callerOf(claims, issuer, audience, epochSeconds(this.#clock.now()))
  }

  /** Loads a key that another node just created, at most once a second for unknown ids. */
  async #verifyingKey(kid: string | undefined): Promise<KeyObject> {
    const isKnown = this.#keys.some((key) => key.kid === kid)
    if (!isKnown && performance.now() - this.#readAt > 1_000) await this.#readNext()
    const found = this.#keysIn((state) => state !== 'gone').find((key) => key.kid === kid)
    if (!found) throw new errors.JWKSNoMatchingKey()
    return found.publicKey
  }
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
