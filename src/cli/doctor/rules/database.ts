import { type Finding, ok, orOk, problem, warning } from './finding.ts'

export type DatabaseFacts = Readonly<{
  /** Such as 180001. */
  versionNumber: number
  version: string
  encoding: string
  isInRecovery: boolean
  maxConnections: number
  connections: number
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
}>

const oldest = 15

export function databaseFindings(facts: DatabaseFacts, neededConnections: number): readonly Finding[] {
  const check = 'database'
  const found: Finding[] = []
  if (facts.versionNumber < oldest * 10_000)
    found.push(problem(check, `PostgreSQL ${facts.version} is too old.`, `Use PostgreSQL ${oldest} or later.`))
  if (facts.encoding !== 'UTF8')
    found.push(
      problem(check, `Its encoding is ${facts.encoding}.`, 'Create the database with: createdb --encoding UTF8'),
    )
  if (facts.isInRecovery)
    found.push(
      problem(
        check,
        'It is a replica and takes no writes.',
        'Set DATABASE_URL to the primary; a replica goes into DATABASE_READ_URL.',
      ),
    )
  for (const [name, value] of [
    ['fsync', facts.fsync],
    ['full_page_writes', facts.fullPageWrites],
    ['synchronous_commit', facts.synchronousCommit],
  ] as const)
    if (value === 'off')
      found.push(
        warning(
          check,
          `${name} is off: a crash can lose changes that were acknowledged.`,
          `Set ${name} = on in postgresql.conf.`,
        ),
      )
  if (facts.maxConnections < neededConnections)
    found.push(
      warning(
        check,
        `max_connections is ${facts.maxConnections}, and this node alone may need ${neededConnections}.`,
        'Raise max_connections, or lower WORKERS.',
      ),
    )
  const text = `PostgreSQL ${facts.version}, ${facts.connections} of ${facts.maxConnections} connections in use`
  return orOk(found, check, text)
}

export type Migrations = Readonly<{ applied: number; open: readonly string[]; unknown: readonly string[] }>

export function schemaFinding({ applied, open, unknown }: Migrations): Finding {
  const check = 'schema'
  if (unknown.length > 0)
    return problem(
      check,
      `The database is newer than this refdesk: it has ${unknown.join(', ')}.`,
      'Use the version of refdesk that made it, or a later one.',
    )
  if (open.length === 0) return ok(check, `${applied} migrations, up to date`)
  return warning(check, `Not yet applied: ${open.join(', ')}.`, 'The next start of the service applies them.')
}

export type ReplicaFacts = Readonly<{ isInRecovery: boolean; behindBytes: number; behindSeconds: number }>

const lag = { warning: 10, problem: 60 }

/** A replica may be some seconds behind: a list of events then waits for it, or is read from the primary. */
export function replicaFinding({ isInRecovery, behindBytes, behindSeconds }: ReplicaFacts): Finding {
  const check = 'replica'
  if (!isInRecovery)
    return warning(
      check,
      'DATABASE_READ_URL leads to a database that is not a replica, perhaps after a failover.',
      'Set it to a replica, or leave it out.',
    )
  if (behindBytes <= 0) return ok(check, 'has everything')
  const text = `${Math.round(behindSeconds)} s and ${behindBytes.toLocaleString('en-US')} bytes behind`
  if (behindSeconds < lag.warning) return ok(check, text)
  const advice = 'Look at pg_stat_replication on the primary, and at the load and the disk of the replica.'
  return behindSeconds < lag.problem ? warning(check, `${text}.`, advice) : problem(check, `${text}.`, advice)
}
