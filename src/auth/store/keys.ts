import { generateKeyPairSync } from 'node:crypto'
import { appendAudit } from '../../audit/append.ts'
import { randomHex, seal } from '../../core/crypto/keys.ts'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import { lockService } from '../../database/service.ts'
import { isDueForRotation, keyStates } from '../rules/signing-keys.ts'

export type StoredKey = Readonly<{
  kid: string
  publicJwk: Record<string, string>
  privateSealed: Buffer
  activeFrom: Temporal.Instant | null
}>

export async function listKeys(db: Db): Promise<StoredKey[]> {
  return db
    .selectFrom('signing_key')
    .select(['kid', 'public_jwk as publicJwk', 'private_sealed as privateSealed', 'active_from as activeFrom'])
    .orderBy('created_at')
    .execute()
}

/** Ensures that there is one active and one next key; rotates if due or if `rotate`. Serialized over all nodes. */
export async function maintainKeys(db: Db, sealKey: Buffer, now: Temporal.Instant, rotate: boolean): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await lockService(trx)
    const keys = await listKeys(trx)
    const states = keyStates(keys, now)
    const active = keys.find((key) => states.get(key.kid) === 'active')
    const next = keys.find((key) => states.get(key.kid) === 'next')
    const gone = keys.filter((key) => states.get(key.kid) === 'gone').map((key) => key.kid)
    if (gone.length > 0) await removeKeys(trx, gone, now)
    const due = !active?.activeFrom || rotate || isDueForRotation(active.activeFrom, now)
    if (!due && next) return []
    const activated = due ? (next?.kid ?? (await insertKey(trx, sealKey, now))) : undefined
    if (activated) await activateKey(trx, activated, now)
    const created = !next || due ? await insertKey(trx, sealKey, now) : undefined
    await announce(trx, [{ topic: 'key', key: activated ?? created ?? '' }])
    return [activated, created].flatMap((kid) => kid ?? [])
  })
}

async function insertKey(trx: Trx, sealKey: Buffer, now: Temporal.Instant): Promise<string> {
  const kid = randomHex()
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await trx
    .insertInto('signing_key')
    .values({
      kid,
      public_jwk: JSON.stringify(pair.publicKey.export({ format: 'jwk' })),
      private_sealed: seal(sealKey, pair.privateKey.export({ format: 'der', type: 'pkcs8' }), kid),
      created_at: now.toString(),
    })
    .execute()
  await appendAudit(trx, { at: now, kind: 'KeyCreated', detail: { kid } })
  return kid
}

async function activateKey(trx: Trx, kid: string, now: Temporal.Instant): Promise<void> {
  await trx.updateTable('signing_key').set({ active_from: now.toString() }).where('kid', '=', kid).execute()
  await appendAudit(trx, { at: now, kind: 'KeyActivated', detail: { kid } })
}

async function removeKeys(trx: Trx, kids: string[], now: Temporal.Instant): Promise<void> {
  await trx.deleteFrom('signing_key').where('kid', 'in', kids).execute()
  await announce(
    trx,
    kids.map((key) => ({ topic: 'key', key })),
  )
  for (const kid of kids) await appendAudit(trx, { at: now, kind: 'KeyRetired', detail: { kid } })
}

/** Replaces all keys, the next one included: whoever read one of them may have read all. Their access tokens end. */
export async function replaceKeys(db: Db, sealKey: Buffer, now: Temporal.Instant) {
  return db.transaction().execute(async (trx) => {
    await lockService(trx)
    const removed = (await listKeys(trx)).map(({ kid }) => kid)
    if (removed.length > 0) await removeKeys(trx, removed, now)
    const active = await insertKey(trx, sealKey, now)
    await activateKey(trx, active, now)
    await insertKey(trx, sealKey, now)
    await announce(trx, [{ topic: 'key', key: active }])
    return { active, removed }
  })
}
