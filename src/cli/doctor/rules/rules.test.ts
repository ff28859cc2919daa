import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../config.ts'
import { type DatabaseFacts, databaseFindings, replicaFinding, schemaFinding } from './database.ts'
import { type Finding, skipped } from './finding.ts'
import { auditFinding, credentialsFindings, keysFinding, operatorsFinding } from './keys.ts'
import { clockFinding, diskFinding } from './machine.ts'
import { publicUrlFinding, settingsFindings } from './settings.ts'

/** States with the first words, and that every warning and problem says what to do. */
function seen(found: Finding | readonly Finding[]): string[] {
  return [found].flat().map(({ state, text, advice }) => {
    assert.equal(advice !== undefined, state === 'warning' || state === 'problem', text)
    return `${state}: ${text}`
  })
}

const MASTER_KEY = Buffer.from('c0a1f7d39e5b2846c0a2f7d49e6b2947c0a3f7d59e7b2a48c0a4f7d69e8b2b49', 'hex').toString(
  'base64',
)
const live = {
  ...{ ENVIRONMENT: 'live', MASTER_KEY, PUBLIC_URL: 'https://refdesk.example.com', TRUST_PROXY: 'loopback' },
  DATABASE_URL: 'postgres://refdesk@db/refdesk',
}

test('settings that are allowed but probably not meant are warnings', () => {
  const found = (environment: Record<string, string>) => seen(settingsFindings(readConfig({}, environment), []))
  assert.deepEqual(found({}), ['ok: sim, localhost:4700, one worker'])
  assert.deepEqual(found({ WORKERS: 'auto', PORT: '1' }), ['ok: sim, localhost:1, auto workers'])
  assert.deepEqual(found({ HOST: '::', DEMO: 'off' }), ['ok: sim, :::4700, one worker'])
  assert.deepEqual(found({ HOST: '0.0.0.0' }), [
    "warning: The demo's passwords are public, and the service listens on 0.0.0.0.",
  ])
  assert.deepEqual(found({ ...live, METRICS_TOKEN: 'sixteen letters!' }), ['ok: live, localhost:4700, one worker'])
  const careless = {
    RATE_LIMITS: 'off',
    TRUST_PROXY: '',
    METRICS_TOKEN: 'short',
    LOG_LEVEL: 'silent',
    DATABASE_URL: '',
  }
  const starts = ['RATE_LIMITS is off', 'Behind a proxy', 'METRICS_TOKEN has', 'LOG_LEVEL is silent', 'Live uses the']
  const all = found({ ...live, ...careless })
  assert.equal(all.length, starts.length)
  for (const [at, start] of starts.entries()) assert.ok(all[at]?.startsWith(`warning: ${start}`), start)
})

test('a misspelled setting is a warning that names the right one', () => {
  const [finding] = settingsFindings(readConfig({}, {}), [{ given: 'DATABSE_URL', meant: 'DATABASE_URL' }])
  assert.equal(finding?.state, 'warning')
  assert.match(`${finding?.text} ${finding?.advice}`, /^DATABSE_URL is not a setting .* DATABASE_URL\.$/)
})

test('a node with another PUBLIC_URL than the node that started last is a warning', () => {
  assert.deepEqual(seen(publicUrlFinding('https://a', 'https://a')), ['ok: https://a'])
  assert.match(
    seen(publicUrlFinding('https://a', 'https://b'))[0] ?? '',
    /^warning: It is https:\/\/a here, .*https:\/\/b\.$/,
  )
})

const healthy: DatabaseFacts = {
  ...{ versionNumber: 180_001, version: '18.1', encoding: 'UTF8', isInRecovery: false },
  ...{ maxConnections: 100, connections: 7, fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on' },
}

test('a database that is old, read-only, not UTF-8 or careless is reported, all at once', () => {
  assert.deepEqual(seen(databaseFindings(healthy, 12)), ['ok: PostgreSQL 18.1, 7 of 100 connections in use'])
  const sick = { versionNumber: 130_011, version: '13.11', encoding: 'LATIN1', isInRecovery: true, maxConnections: 11 }
  const off = { fsync: 'off', fullPageWrites: 'off', synchronousCommit: 'off' }
  const states = databaseFindings({ ...healthy, ...sick, ...off }, 12)
  seen(states)
  assert.deepEqual(
    states.map(({ state }) => state),
    ['problem', 'problem', 'problem', 'warning', 'warning', 'warning', 'warning'],
  )
})

test('open migrations are a warning, unknown ones a problem', () => {
  assert.deepEqual(seen(schemaFinding({ applied: 15, open: [], unknown: [] })), ['ok: 15 migrations, up to date'])
  assert.deepEqual(seen(schemaFinding({ applied: 14, open: ['015_x.sql'], unknown: [] })), [
    'warning: Not yet applied: 015_x.sql.',
  ])
  assert.match(
    seen(schemaFinding({ applied: 16, open: [], unknown: ['016_y.sql'] }))[0] ?? '',
    /^problem: .*016_y\.sql/,
  )
})

test('a replica may be some seconds behind, but not a minute', () => {
  const replica = (behindBytes: number, behindSeconds: number) =>
    seen(replicaFinding({ isInRecovery: true, behindBytes, behindSeconds }))[0]
  assert.equal(replica(0, 500), 'ok: has everything', 'nothing was written for long')
  assert.equal(replica(1_024, 9.4), 'ok: 9 s and 1,024 bytes behind')
  assert.equal(replica(1_024, 10), 'warning: 10 s and 1,024 bytes behind.')
  assert.equal(replica(1_024, 60), 'problem: 60 s and 1,024 bytes behind.')
  assert.match(seen(replicaFinding({ isInRecovery: false, behindBytes: 0, behindSeconds: 0 }))[0] ?? '', /^warning: /)
})

test('little room on the disk is a warning, hardly any a problem', () => {
  assert.equal(seen(diskFinding('/data', 2 ** 31))[0], 'ok: 2,048 MiB free in /data')
  assert.equal(seen(diskFinding('/data', 2 ** 30 - 1))[0], 'warning: Only 1,023 MiB free in /data.')
  assert.equal(seen(diskFinding('/data', 1_000_000))[0], 'problem: Only 0 MiB free in /data.')
})

test('a clock is wrong only if it surely is: a slow answer proves nothing', () => {
  assert.equal(seen(clockFinding({ ahead: -2, uncertain: 1.5 }))[0], 'ok: agrees with PostgreSQL within 4 ms')
  assert.equal(seen(clockFinding({ ahead: 6_000, uncertain: 5_500 }))[0], 'ok: agrees with PostgreSQL within 11500 ms')
  assert.equal(
    seen(clockFinding({ ahead: 1_300, uncertain: 5 }))[0],
    'warning: 1.3 s ahead of the clock of PostgreSQL.',
  )
  assert.equal(
    seen(clockFinding({ ahead: -7_200_000, uncertain: 5 }))[0],
    'problem: 7200.0 s behind the clock of PostgreSQL.',
  )
})

test('signing keys must open, and one must be active and one next', () => {
  const fine = { active: true, next: true, isOverdue: false, sealed: [], total: 2 }
  assert.equal(seen(keysFinding(fine))[0], 'ok: 2 keys, the next one is published')
  assert.equal(seen(keysFinding({ ...fine, total: 0 }))[0], 'ok: none yet; the first start creates them')
  assert.equal(seen(keysFinding({ ...fine, next: false }))[0], 'warning: There is no next key.')
  assert.equal(seen(keysFinding({ ...fine, active: false }))[0], 'warning: There is no active key.')
  assert.equal(seen(keysFinding({ ...fine, isOverdue: true }))[0], 'warning: The active key is overdue for rotation.')
  assert.equal(seen(keysFinding({ ...fine, sealed: ['a'] }))[0], 'problem: MASTER_KEY does not decrypt a.')
})

test('a changed audit log is a problem', () => {
  assert.equal(seen(auditFinding({ entries: 1, problems: 0, findings: [] }))[0], 'ok: intact, 1 entry')
  assert.equal(seen(auditFinding({ entries: 4_000, problems: 0, findings: [] }))[0], 'ok: intact, 4,000 entries')
  const one = auditFinding({ entries: 3, problems: 1, findings: ['Entry 2 was changed.'] })
  assert.equal(seen(one)[0], 'problem: Not intact: Entry 2 was changed.')
  const more = auditFinding({ entries: 3, problems: 3, findings: ['Entry 2 was changed.'] })
  assert.equal(seen(more)[0], 'problem: Not intact: Entry 2 was changed. And 2 more.')
})

test('credentials of the demo are a problem that names them', () => {
  assert.deepEqual(
    credentialsFindings([]).map(({ state, text }) => [state, text]),
    [['ok', 'none']],
  )
  const found = ['a', 'b'].map((key) => ({ name: `app ${key}`, remedy: `delete ${key}` }))
  assert.deepEqual(
    credentialsFindings(found).map(({ state, text, advice }) => [state, text, advice]),
    [
      ['problem', 'Everyone knows app a.', 'Run: delete a'],
      ['problem', 'Everyone knows app b.', 'Run: delete b'],
    ],
  )
})

test('operators with a password of the demo are a warning that names them', () => {
  assert.equal(seen(operatorsFinding([]))[0], 'ok: none has a password of the demo')
  assert.equal(
    seen(operatorsFinding(['ada', 'bo']))[0],
    'warning: Everyone knows the password of these operators from the demo: ada, bo.',
  )
})

test('what was not checked is neither good nor bad', () => {
  assert.equal(seen(skipped('disk', 'no folder yet'))[0], 'skipped: no folder yet')
})
