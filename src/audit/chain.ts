import { createHmac, createSecretKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { byteaArray, textArray } from '../database/binary-array.ts'
import { locks } from '../database/locks.ts'
import type { Db, Trx } from '../database/open.ts'
import { prepared } from '../database/prepared.ts'
import {
  type Anchor,
  anchorFinding,
  ChainCheck,
  type ChainEnd,
  chainStart,
  type Hmac,
  headText,
  type Link,
  nextLink,
} from './rules/chain.ts'

/** Hashing a batch blocks the event loop for some milliseconds. */
const sealBatch = 500
const readBatch = 1_000
const headEveryMs = 60_000

/** `key` is the audit key, derived from MASTER_KEY. */
export function hmacWith(key: Uint8Array): Hmac {
  const secret = createSecretKey(key)
  // By way of a string: an ArrayBuffer of its own for every entry costs more.
  return (message) => Buffer.from(createHmac('sha256', secret).update(message).digest('latin1'), 'latin1')
}

const tryLock = prepared(() => sql<{ won: boolean }>`select pg_try_advisory_xact_lock(${locks.auditChain}) as won`)
const takeEntries = prepared(
  (_db, { afterId }: { afterId: number }) => sql<{ id: number; body: string }>`
    delete from audit_inbox where id = any(array(
      select id from audit_inbox where id > ${afterId} order by id limit ${sealBatch}))
    returning id, body`,
)

/** Seals the inbox entries after `afterId`, oldest first. Skips the run if another node holds the lock. Entries of open
 *  transactions are not visible yet and are sealed later. Returns how many were sealed, and the highest id of them. */
export function chainOnce(db: Db, key: Uint8Array, afterId = 0): Promise<{ count: number; lastId: number }> {
  const nothing = { count: 0, lastId: 0 }
  // Read committed: reads after the lock is acquired must see what its previous holder sealed.
  const transaction = db.transaction().setIsolationLevel('read committed')
  return transaction.execute(async (trx) => {
    const [lock] = await tryLock(trx, {})
    if (lock?.won !== true) return nothing
    const taken = await takeEntries(trx, { afterId })
    if (taken.length === 0) return nothing
    const entries = taken.sort((a, b) => a.id - b.id)
    const bodies = entries.map((row) => row.body)
    await insertLinks(trx, linksAfter(await readHead(trx), bodies, hmacWith(key)))
    return { count: bodies.length, lastId: entries.at(-1)?.id ?? 0 }
  })
}

function linksAfter(head: ChainEnd, bodies: readonly string[], hmac: Hmac): Link[] {
  const links: Link[] = []
  for (const body of bodies) links.push(nextLink(hmac, links.at(-1) ?? head, body))
  return links
}

const insertAfter = prepared(
  (_db, { seq, bodies, macs }: { seq: number; bodies: Buffer; macs: Buffer }) => sql`
    insert into audit_log (seq, body, mac)
    select ${seq}::bigint + position, body, mac
    from unnest(${bodies}::text[], ${macs}::bytea[]) with ordinality as link (body, mac, position)`,
)

async function insertLinks(trx: Trx, links: readonly Link[]): Promise<void> {
  const bodies = textArray(links.map((link) => link.body))
  const macs = byteaArray(links.map((link) => link.mac))
  await insertAfter(trx, { seq: (links[0]?.seq ?? 1) - 1, bodies, macs })
}

const selectHead = prepared(
  () => sql<ChainEnd>`
    (select seq, mac from audit_log order by seq desc limit 1) union all
    (select through_seq, mac from audit_archive order by through_seq desc limit 1)
    order by seq desc limit 1`,
)

/** Returns the last link, or the end of the last archive if nothing was sealed since. */
export async function readHead(db: Db): Promise<ChainEnd> {
  return (await selectHead(db, {}))[0] ?? chainStart
}

type Log = { info(fields: object, message: string): void; error(fields: object, message: string): void }

const settledMs = 5_000
const fullScanEveryMs = 60_000

/** The inbox id to start from. Sealed entries leave dead rows until the next vacuum, and scanning them costs more than
 *  sealing. Entries older than five seconds are skipped; one full scan a minute catches those of long transactions. */
class InboxPosition {
  #settled = 0
  #recent = { at: 0, lastId: 0 }
  #fullScanDue = 0

  start(): number {
    const now = performance.now()
    if (now < this.#fullScanDue) return this.#settled
    this.#fullScanDue = now + fullScanEveryMs
    return 0
  }

  note(lastId: number): void {
    const now = performance.now()
    if (now - this.#recent.at < settledMs) return
    this.#settled = this.#recent.lastId
    this.#recent = { at: now, lastId: Math.max(lastId, this.#recent.lastId) }
  }
}

/** Seals entries until stopped, on real time. Logs the head every minute: kept elsewhere, it lets
 *  `audit verify --head` detect a truncated log. */
export function startChaining(options: { db: Db; key: Uint8Array; log: Log; everyMs?: number }) {
  const { db, key, log, everyMs = 500 } = options
  const stopping = new AbortController()
  const position = new InboxPosition()
  let failing = false
  let headDue = 0

  async function sealAll(): Promise<void> {
    try {
      for (let sealed = sealBatch; sealed === sealBatch; ) {
        const round = await chainOnce(db, key, position.start())
        position.note(round.lastId)
        sealed = round.count
      }
      if (performance.now() >= headDue) {
        log.info({ head: headText(await readHead(db)) }, 'audit head')
        headDue = performance.now() + headEveryMs
      }
      if (failing) log.info({}, 'audit log is being sealed again')
      failing = false
    } catch (error) {
      // Logged once per outage. Nothing is lost: the entries stay in the inbox.
      if (!failing) log.error({ err: error }, 'audit log cannot be sealed; retrying')
      failing = true
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sealAll()
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    headDue = 0
    await sealAll()
  }

  const running = run()
  return {
    /** Seals the remaining entries, logs the head and stops. */
    stop(): Promise<void> {
      stopping.abort()
      return running
    },
  }
}

/** Reads from one snapshot of the database, unaffected by concurrent sealing and archiving. */
export function inSnapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

/** Finds entries that were changed, removed or reordered, and forged archive records. Given a head that was kept
 *  elsewhere, it also detects a truncated log. */
export function verifyAudit(db: Db, key: Uint8Array, givenHead?: ChainEnd) {
  return inSnapshot(db, async (trx) => {
    const hmac = hmacWith(key)
    const anchors = await readAnchors(trx)
    const check = new ChainCheck(hmac, anchorEnd(anchors.at(-1)), givenHead)
    anchors.forEach((anchor, index) => {
      const finding = anchorFinding(hmac, anchorEnd(anchors[index - 1]), anchor)
      if (finding !== undefined) check.report(finding)
    })
    const archivedThrough = check.end.seq
    for await (const links of readLinks(trx)) for (const link of links) check.add(link)
    check.finish()
    const { findings, problems, entries, end: head } = check
    return { findings, problems, entries, archivedThrough, head }
  })
}

/** The end of the chain after an archive, or the start of the chain. */
export function anchorEnd(anchor: Anchor | undefined): ChainEnd {
  return anchor === undefined ? chainStart : { seq: anchor.throughSeq, mac: anchor.mac }
}

export async function readAnchors(db: Db): Promise<Anchor[]> {
  const { rows } = await sql<Anchor>`
    select first_seq as "firstSeq", through_seq as "throughSeq", mac, file_name as "fileName",
      archived_at as "archivedAt", seal
    from audit_archive order by through_seq`.execute(db)
  return rows
}

export async function* readLinks(db: Db): AsyncGenerator<Link[]> {
  let after = 0
  while (true) {
    const { rows } = await sql<Link>`
      select seq, body, mac from audit_log where seq > ${after} order by seq limit ${readBatch}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.seq
  }
}
