import { type AuditEntry, auditBody } from '../../audit/append.ts'
import { systemClock } from '../../core/clock.ts'
import { seal, sha256, unseal } from '../../core/crypto/keys.ts'
import type { Db } from '../../database/open.ts'
import { grantHash, newGrantText } from '../grant-text.ts'
import { rotateRefreshTokens } from '../store/refresh-tokens.ts'
import type { AccessTokens } from '../tokens.ts'
import { makeTokens, type PlannedTokens } from './planned-tokens.ts'

/** A decided refresh. */
export type PlannedRotation = Readonly<{
  presented: string
  hash: string
  clientKey: string
  provedWith: string
  nowMs: number
  tokens: PlannedTokens
  entry: AuditEntry
}>

/** `text`: the response as JSON. */
export type Rotated = Readonly<{ text: string; newHash: string; newExpiresAtMs: number }>

/** Makes the tokens of several refreshes and writes them in one statement (docs/decisions/0008-request-path.md). A refresh that lost (see
 *  the store) is undefined. */
export async function rotateTogether(
  db: Db,
  tokens: AccessTokens,
  planned: readonly PlannedRotation[],
): Promise<(Rotated | undefined)[]> {
  const grants = planned.map(({ tokens: { claims } }) => newGrantText(claims.aud ?? null))
  const refreshTokens = grants.map((text) => ({ text, hash: grantHash(text) }))
  const responses = refreshTokens.map((refresh, index) =>
    makeTokens(tokens, (planned[index] as PlannedRotation).tokens, refresh),
  )
  const texts = responses.map((response) => JSON.stringify(response))
  const answers = texts.map((text, index) => sealResponse(planned[index]?.presented ?? '', text))
  const recordedAtMs = systemClock.nowMs()
  const rotations = planned.map(
    ({ hash, clientKey, provedWith, nowMs, tokens: { refreshExpiresIn }, entry }, index) => ({
      hash,
      clientKey,
      spentWith: provedWith,
      answer: answers[index] as Buffer,
      newHash: refreshTokens[index]?.hash ?? '',
      newExpiresAtMs: nowMs + Math.round(refreshExpiresIn * 1_000),
      nowMs,
      auditBody: auditBody(entry, recordedAtMs),
    }),
  )
  const won = await rotateRefreshTokens(db, rotations)
  return rotations.map(({ newHash, newExpiresAtMs }, index) =>
    won[index] ? { text: texts[index] as string, newHash, newExpiresAtMs } : undefined,
  )
}

/** A response is kept in case it gets lost, under a key that only the presented token yields: its 128 random bits hashed with
 *  a label, so that the key differs from the stored hash. */
const graceKey = (presented: string): Buffer => sha256(`refdesk refresh answer ${presented}`)

const sealResponse = (presented: string, text: string): Buffer => seal(graceKey(presented), text, 'grace')

export const openResponse = (presented: string, sealed: Buffer): string =>
  unseal(graceKey(presented), sealed, 'grace').toString()
