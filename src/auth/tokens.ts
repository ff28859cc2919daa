import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { singleFlight } from '../core/async/single-flight.ts'
import type { Caller } from '../core/caller.ts'
import { epochSeconds, type TravelClock } from '../core/clock.ts'
import { deriveKey, unseal } from '../core/crypto/keys.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { type AccessClaims, callerOf } from './rules/access-token.ts'
import { keyStates } from './rules/signing-keys.ts'
import { listKeys, maintainKeys, type StoredKey } from './store/keys.ts'

export const tokenType = 'at+jwt'

export const signingSealKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'signing keys')

/** The claims that differ from token to token. */
export type NewClaims = Omit<AccessClaims, 'iss' | 'aud'> & Readonly<{ aud?: string }>

type Active = Readonly<{ second: number; key: KeyObject; header: string }>
type Addresses = Readonly<{ issuer: string; audience: string }>

/** Issues and verifies access tokens. The signing keys are sealed in the database and open only in memory. */
export class AccessTokens {
  readonly #db: Db
  readonly #clock: TravelClock
  readonly #sealKey: Buffer
  readonly #addresses: Addresses
  #keys: StoredKey[] = []
  #public = new Map<string, KeyObject>()
  #private = new Map<string, KeyObject>()
  #active: Active | undefined
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

  /** Creates the first keys of a new database and loads all keys. */
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
    this.#keys = await listKeys(this.#db)
    this.#public = new Map(
      this.#keys.map((key) => [key.kid, createPublicKey({ key: { ...key.publicJwk, kty: 'EC' }, format: 'jwk' })]),
    )
    this.#private = new Map(
      this.#keys.map((key) => {
        const der = unseal(this.#sealKey, key.privateSealed, key.kid)
        return [key.kid, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })]
      }),
    )
    this.#active = undefined
  }

  /** The keys for verifiers, including the next one, so that they know it before a rotation (RFC 7517). */
  publishedKeys(): Record<string, string>[] {
    const states = keyStates(this.#keys, this.#clock.real.now())
    return this.#keys
      .filter((key) => states.get(key.kid) !== 'gone')
      .map((key) => ({ ...key.publicJwk, kid: key.kid, alg: 'ES256', use: 'sig' }))
  }

  /** Signs without jose, which takes twice as long (docs/decisions/0005). */
  issue(claims: NewClaims): string {
    const { key, header } = this.#activeNow()
    const { issuer: iss, audience: aud } = this.#addresses
    const input = `${header}.${base64url({ iss, aud, ...claims })}`
    const signature = sign('sha256', Buffer.from(input, 'latin1'), { key, dsaEncoding: 'ieee-p1363' })
    return `${input}.${signature.toString('base64url')}`
  }

  /** The key that signs in this second, with its token header. */
  #activeNow(): Active {
    const second = Math.floor(this.#clock.real.nowMs() / 1_000)
    if (this.#active?.second === second) return this.#active
    const states = keyStates(this.#keys, this.#clock.real.now())
    const kid = this.#keys.find((key) => states.get(key.kid) === 'active')?.kid
    const key = kid === undefined ? undefined : this.#private.get(kid)
    if (!key) throw new Error('No signing key is active.')
    this.#active = { second, key, header: base64url({ alg: 'ES256', typ: tokenType, kid }) }
    return this.#active
  }

  /** The claims of a token with a valid signature; does not check the claims. */
  async open(token: string): Promise<Partial<AccessClaims> | undefined> {
    const kid = keyIdOf(token)
    const key = kid === undefined ? undefined : await this.#verifyingKey(kid)
    if (!key) return undefined
    try {
      const { payload, protectedHeader } = await compactVerify(token, key, { algorithms: ['ES256'] })
      if (protectedHeader.typ !== tokenType) return undefined
      return JSON.parse(Buffer.from(payload).toString()) as Partial<AccessClaims>
    } catch {
      return undefined
    }
  }

  /** The caller, if the token is for this audience: by default the REST API. */
  callerOf(claims: Partial<AccessClaims>, audience = this.#addresses.audience): Caller | undefined {
    const { issuer } = this.#addresses
    return callerOf(claims, issuer, audience, epochSeconds(this.#clock.now()))
  }

  /** Loads a key that another node just created, at most once a second for unknown ids. */
  async #verifyingKey(kid: string): Promise<KeyObject | undefined> {
    if (!this.#public.has(kid) && performance.now() - this.#readAt > 1_000) await this.#readNext()
    const gone = keyStates(this.#keys, this.#clock.real.now()).get(kid) === 'gone'
    return gone ? undefined : this.#public.get(kid)
  }
}

function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
