import { verifyAudit } from '../../src/audit/chain.ts'
import { openDatabase } from '../../src/database/open.ts'
import { auditKey } from '../../src/node.ts'
import type { Findings, Tally } from './findings.ts'
import { masterKey, type System } from './system/system.ts'

/** Of sessions that began in a time that was travelled to, housekeeping may have removed some tokens. */
const ofNow = "s.created_at between now() - interval '1 day' and now() + interval '1 minute' and s.ended_at is null"

/** What is wrong in any state of the database, whatever happened. */
const invariants: readonly (readonly ['double winner' | 'half done', string, string])[] = [
  [
    'double winner',
    'sessions have two unspent refresh tokens',
    `select session_id from refresh_token where spent_at is null group by session_id having count(*) > 1`,
  ],
  [
    'half done',
    'sessions have no refresh token',
    `select session_id from session s where ${ofNow}
      and not exists (select from refresh_token t where t.session_id = s.session_id)`,
  ],
  [
    'half done',
    'sessions are not of exactly one code',
    `select s.session_id from session s join authorization_code c using (session_id) group by 1 having count(*) <> 1`,
  ],
  [
    'half done',
    'active sessions have only spent refresh tokens',
    `select session_id from session s where ${ofNow}
      and not exists (select from refresh_token t where t.session_id = s.session_id and t.spent_at is null)`,
  ],
  [
    'half done',
    'election numbers have gaps',
    `select last from election_count where last <> (select count(*) from election) or last <> (select coalesce(max(number), 0) from election)`,
  ],
  [
    'half done',
    'holdings do not have their last election',
    `select event_id from event_holding h where document::text is distinct from (
      select document::text from election e where (e.event_id, e.account_key) = (h.event_id, h.account_key) order by number desc limit 1)`,
  ],
  [
    'half done',
    'elections have no holding',
    `select event_id, account_key from election except select event_id, account_key from event_holding`,
  ],
  [
    'half done',
    'holdings have elected more than is held',
    `select event_id from event_holding h join event e using (event_id)
      join position p on (p.account_key, p.uic, p.asset_type) = (h.account_key, e.uic, e.asset_type) where elected_amount > amount`,
  ],
]

/** Kinds of audit entries, and the acknowledged writes that each has one for. */
const audited: readonly (readonly [string, string])[] = [
  ['CodeExchanged', 'exchanges'],
  ['TokenRefreshed', 'refreshes'],
  ['ImportApplied', 'imports'],
  ['Elected', 'elections'],
]

/** Checks the database itself: the primary, past all proxies. */
export class DatabaseChecks {
  readonly #system: System
  readonly #findings: Findings
  readonly #tally: Tally
  #head: { seq: number; mac: Uint8Array } | undefined

  constructor(system: System, findings: Findings, tally: Tally) {
    this.#system = system
    this.#findings = findings
    this.#tally = tally
  }

  async run(): Promise<void> {
    const { cluster } = this.#system
    for (const [kind, what, question] of invariants) {
      const rows = await cluster.query(question)
      if (rows.length > 0) this.#findings.add(kind, `${rows.length} ${what}`)
    }
    await this.#countAudit()
    await this.#verifyChain()
  }

  /** Counted before the question: what is acknowledged meanwhile may not be in the answer. */
  async #countAudit(): Promise<void> {
    const acknowledged = audited.map(([, what]) => this.#tally.writes.get(what) ?? 0)
    const rows = await this.#system.cluster.query(`select body::json ->> 'kind' as kind, count(*)::int as entries
      from (select body from audit_inbox union all select body from audit_log) a group by 1`)
    const entries = new Map(rows.map((row) => [row.kind, Number(row.entries)]))
    for (const [index, [kind, what]] of audited.entries()) {
      const missing = (acknowledged[index] ?? 0) - (entries.get(kind) ?? 0)
      if (missing > 0) this.#findings.add('lost', `${missing} ${what} were acknowledged and have no audit entry`)
    }
  }

  /** With the end of the chain that was read before: a part that is cut off is noticed, too. */
  async #verifyChain(): Promise<void> {
    const { pair } = this.#system.cluster
    const { host, port } = pair.primary
    const { db, close } = openDatabase({ connectionString: pair.urlOf([{ host, port }], '') }, 1)
    try {
      const { findings, head } = await verifyAudit(db, auditKey(masterKey), this.#head)
      for (const finding of findings) this.#findings.add('audit chain broken', finding)
      this.#head = head
    } finally {
      await close()
    }
  }
}
