import { plural } from '../../../core/text.ts'
import { type Finding, ok, orOk, problem, warning } from './finding.ts'

export type KeyFacts = Readonly<{
  active: boolean
  next: boolean
  /** The active key should have been replaced, but no node did it. */
  isOverdue: boolean
  /** Keys that MASTER_KEY does not decrypt. */
  sealed: readonly string[]
  total: number
}>

export function keysFinding({ active, next, isOverdue, sealed, total }: KeyFacts): Finding {
  const check = 'signing keys'
  if (sealed.length > 0)
    return problem(
      check,
      `MASTER_KEY does not decrypt ${sealed.join(', ')}.`,
      'Restore the database and the key from the same backup, or rotate with: refdesk keys rotate --leaked',
    )
  if (total === 0) return ok(check, 'none yet; the first start creates them')
  if (!active || !next)
    return warning(check, `There is no ${active ? 'next' : 'active'} key.`, 'A running node creates it; start one.')
  if (isOverdue)
    return warning(check, 'The active key is overdue for rotation.', 'A running node rotates it; start one.')
  return ok(check, `${plural(total, 'key')}, the next one is published`)
}

export type AuditFacts = Readonly<{ entries: number; problems: number; findings: readonly string[] }>

export function auditFinding({ entries, problems, findings }: AuditFacts): Finding {
  const check = 'audit log'
  if (problems === 0)
    return ok(check, `intact, ${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}`)
  return problem(
    check,
    `Not intact: ${findings[0]}${problems > 1 ? ` And ${problems - 1} more.` : ''}`,
    'Someone or something changed the table. Keep a copy, compare it with a backup, and see: refdesk audit verify',
  )
}

/** For a sim service that only operators may control. Takes the names of operators with a password of the demo. */
export function operatorsFinding(names: readonly string[]): Finding {
  const check = 'operators'
  if (names.length === 0) return ok(check, 'none has a password of the demo')
  return warning(
    check,
    `Everyone knows the password of these operators from the demo: ${names.join(', ')}.`,
    'Change it with refdesk users password NAME, or remove the operator with refdesk users operator NAME --off.',
  )
}

type Credential = Readonly<{ name: string; remedy: string }>

/** One per credential, because each ends in its own way. */
export function credentialsFindings(found: readonly Credential[]): readonly Finding[] {
  const check = 'demo credentials'
  const findings = found.map(({ name, remedy }) => problem(check, `Everyone knows ${name}.`, `Run: ${remedy}`))
  return orOk(findings, check, 'none')
}
