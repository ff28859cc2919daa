import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { locks } from '../database/locks.ts'
import type { Db, Trx } from '../database/open.ts'
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

/** Hashing a batch holds up every request of this node meanwhile: some milliseconds. */
const sealBatch = 500
const readBatch = 1_000
const headEveryMs = 60_000

/** `key` is everywhere the log's own, derived from MASTER_KEY. */
export function hmacWith(key: Uint8Array): Hmac {
  return (message) => createHmac('sha256', key).update(message).digest()
}

/** What one round sealed: how many, and the highest place in the inbox among them. */
export type Sealed = Readonly<{ count: number; lastId: number }>

/** Seals what waits in the inbox behind `afterId`, oldest first. One node at a time: who finds another at it leaves it
 *  to that one. An entry whose transaction is still open is not visible yet and gets a later place. */
export function chainOnce(db: Db, key: Uint8Array, afterId = 0): Promise<Sealed> {
  const nothing = { count: 0, lastId: 0 }
  // Read committed: what is read after the lock was won must include what its last holder sealed.
  const transaction = db.transaction().setIsolationLevel('read committed')
  return transaction.execute(async (trx) => {
    const lock = await sql<{ won: boolean }>`select pg_try_advisory_xact_lock(${locks.auditChain}) as won`.execute(trx)
    if (lock.rows[0]?.won !== true) return nothing
    const taken = await sql<{ id: number; body: string }>`
      delete from audit_inbox where id = any(array(
        select id from audit_inbox where id > ${afterId} order by id limit ${sealBatch}))
      returning id, body`.execute(trx)
    if (taken.rows.length === 0) return nothing
    const entries = taken.rows.sort((a, b) => a.id - b.id)
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

async function insertLinks(trx: Trx, links: readonly Link[]): Promise<void> {
  const seqs = links.map((link) => link.seq)
  const bodies = links.map((link) => link.body)
  const macs = links.map((link) => link.mac)
  await sql`insert into audit_log (seq, body, mac)
    select * from unnest(${seqs}::bigint[], ${bodies}::text[], ${macs}::bytea[])`.execute(trx)
}

/** The last link, or the anchor of the last archive when nothing was sealed since. */
export async function readHead(db: Db): Promise<ChainEnd> {
  const { rows } = await sql<ChainEnd>`
    (select seq, mac from audit_log order by seq desc limit 1) union all
    (select through_seq, mac from audit_archive order by through_seq desc limit 1)
    order by seq desc limit 1`.execute(db)
  return rows[0] ?? chainStart
}

export interface ChainLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

const settledMs = 5_000
const wholeEveryMs = 60_000

/** Where in the inbox to begin. Sealed entries leave dead rows behind until they are vacuumed, and looking through all of
 *  them each time would cost more than the sealing. What was sealed five seconds ago has nothing in front of it, unless
 *  a transaction is very long: for those, one look a minute begins at the beginning. */
class Passed {
  #settled = 0
  #recent = { at: 0, lastId: 0 }
  #wholeDue = 0

  floor(): number {
    const now = performance.now()
    if (now < this.#wholeDue) return this.#settled
    this.#wholeDue = now + wholeEveryMs
    return 0
  }

  note(lastId: number): void {
    const now = performance.now()
    if (now - this.#recent.at < settledMs) return
    this.#settled = this.#recent.lastId
    this.#recent = { at: now, lastId: Math.max(lastId, this.#recent.lastId) }
  }
}

/** Keeps sealing until stopped, in real time whatever the service's clock says. Each minute the head goes to the log:
 *  kept elsewhere, it lets `audit verify --head` find a cut end. */
export function startChaining(options: { db: Db; key: Uint8Array; log: ChainLog; everyMs?: number }) {
  const { db, key, log, everyMs = 500 } = options
  const stopping = new AbortController()
  const passed = new Passed()
  let failing = false
  let headDue = 0

  async function sealAll(): Promise<void> {
    try {
      for (let sealed = sealBatch; sealed === sealBatch; ) {
        const round = await chainOnce(db, key, passed.floor())
        passed.note(round.lastId)
        sealed = round.count
      }
      if (performance.now() >= headDue) {
        log.info({ head: headText(await readHead(db)) }, 'audit head')
        headDue = performance.now() + headEveryMs
      }
      if (failing) log.info({}, 'the audit log is sealed again')
      failing = false
    } catch (error) {
      // Said once per outage. Nothing is lost: the entries wait in the inbox.
      if (!failing) log.error({ err: error }, 'the audit log cannot be sealed; trying again')
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
    /** Seals the last entries, notes the head, and ends. */
    stop(): Promise<void> {
      stopping.abort()
      return running
    },
  }
}

export type AuditFindings = Readonly<{
  findings: readonly string[]
  /** All that is wrong; `findings` are the first of it. */
  problems: number
  entries: number
  archivedThrough: number
  head: ChainEnd
}>

/** One moment of the database, so that sealing and archiving meanwhile disturb nothing. */
export function inSnapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

/** Finds any entry that was changed, removed or moved, any wrong record of an archive, and against a head that was noted
 *  elsewhere also a cut end. */
export function verifyAudit(
  db: Db,
  key: Uint8Array,
  options: { head?: ChainEnd | undefined } = {},
): Promise<AuditFindings> {
  return inSnapshot(db, async (trx) => {
    const hmac = hmacWith(key)
    const anchors = await readAnchors(trx)
    const check = new ChainCheck(hmac, anchorEnd(anchors.at(-1)), options.head)
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

/** Where the chain stands after an archive; without one, at its start. */
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

/** The whole log in order, some rows at a time: memory does not grow with it. */
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
