import { type AuditEntry, appendAudit } from '../../audit/append.ts'
import type { Trx } from '../../database/open.ts'
import type { Count } from '../kind.ts'

type Actor = Pick<AuditEntry, 'user' | 'session' | 'app' | 'address'>

/** Notes an import in its transaction. One by the command line has no user. `undoes` is the run that it undid. */
export async function auditImport(
  trx: Trx,
  at: Temporal.Instant,
  counts: readonly Count[],
  { undoes, ...actor }: Actor & { undoes?: number | undefined } = {},
): Promise<void> {
  const said = counts.flatMap(({ kind, added, changed, removed }) =>
    added + changed + removed === 0 ? [] : [[kind, `${added} added, ${changed} changed, ${removed} removed`]],
  )
  const detail = { by: 'operator', ...(undoes !== undefined && { undoes }), ...Object.fromEntries(said) }
  await appendAudit(trx, { at, kind: 'ImportApplied', ...actor, detail })
}
