import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { demoPassword } from '../support/demo.ts'
import {
  databaseForFile,
  event,
  exchange,
  exportText,
  importTexts,
  instrument,
  lines,
  position,
  undoRun,
} from '../support/service/import.ts'
import { demoTemplate } from '../support/service/postgres.ts'

type Rec = { kind: string; [member: string]: unknown }

const { connection, db } = await databaseForFile(demoTemplate)
const parse = (text: string): Rec[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Rec)
const importAll = async (...records: object[]) => {
  const result = await importTexts(connection, { 'some.ndjson': lines(...records) })
  assert.deepEqual(result.errors, [])
  return result
}
const undo = async (run: number | undefined) => {
  const result = await undoRun(connection, run ?? 0)
  assert.deepEqual(result.errors, [])
  return result
}
const ofKind = (records: Rec[], kind: string) => records.filter((record) => record.kind === kind)

type Series = { Options: unknown[] }
type Group = { AccountGroupKey: string; Name: string }

/** A valid change of a record, chosen by a number; undefined deletes it. */
const changes: Record<string, (record: Rec, choice: number) => Rec | undefined> = {
  calendar: (record, choice) => ({
    ...record,
    Holidays: [...((record.Holidays ?? []) as object[]), { Date: `2031-01-${10 + (choice % 20)}`, Name: 'Extra' }],
  }),
  exchange: (record, choice) => ({ ...record, Name: `${record.Name} ${choice}` }),
  instrument: (record, choice) => ({ ...record, Description: `Changed ${choice} "é"` }),
  optionRoot: (record, choice) => {
    const [first, ...rest] = record.Series as Series[]
    const options = (first?.Options ?? []).slice(choice % 2 === 0 ? 1 : 2)
    return { ...record, Series: first ? [{ ...first, Options: options }, ...rest] : [] }
  },
  client: (record, choice) => {
    const groups = (record.AccountGroups ?? []) as Group[]
    if (choice % 4 === 0) return { ...record, AccountGroups: groups.slice(1) }
    if (choice % 4 === 1) return { ...record, AccountGroups: groups.map((one) => ({ ...one, Name: `${one.Name}!` })) }
    const AccountGroupKey = `historyGroup${String(choice % 10_000_000).padStart(9, '0')}A==`
    if (choice % 4 === 2) return { ...record, AccountGroups: [...groups, { AccountGroupKey, Name: 'New' }] }
    return { ...record, Name: `Client ${choice}` }
  },
  account: (record, choice) =>
    choice % 3 === 0
      ? undefined
      : { ...record, ...(choice % 3 === 1 ? { Currency: 'SEK' } : { AccountId: `A${choice}` }) },
  user: (record, choice) => ({ ...record, ...(choice % 2 === 0 ? { Disabled: true } : { Name: `user${choice}` }) }),
  accessRight: () => undefined,
  position: (record, choice) => (choice % 2 === 0 ? undefined : { ...record, Amount: (choice % 100_000) / 100 + 1 }),
  event: (record, choice) => {
    if (choice % 4 === 0) return undefined
    if (choice % 4 === 1) return { ...record, Holdings: ((record.Holdings ?? []) as object[]).toReversed() }
    if (choice % 4 === 2) return { ...record, Holdings: [], UpdatedDateTime: undefined }
    return { ...record, EventState: 'Cancelled', UpdatedDateTime: undefined }
  },
}

test('undoing an import of any changes restores the export byte by byte', async () => {
  const before = await exportText(connection)
  const records = parse(before).filter(({ kind }) => kind in changes)
  const choice = fc.record({ at: fc.nat(), choice: fc.nat(1_000_000), kind: fc.constantFrom(...Object.keys(changes)) })
  let undone = 0
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 30 }), async (choices) => {
      const given = new Map<string, Rec>()
      for (const { at, choice, kind } of choices) {
        const some = ofKind(records, kind)
        const record = some[at % some.length]
        if (!record) continue
        const changed = changes[kind]?.(record, choice)
        given.set(JSON.stringify(record), changed ?? { ...record, delete: true })
      }
      const result = await importTexts(connection, { 'changes.ndjson': lines(...given.values()) })
      if (result.run === undefined) return
      undone++
      assert.ok((await exportText(connection)) !== before)
      await undo(result.run)
      const after = await exportText(connection)
      const differing = after.split('\n').filter((line) => !before.includes(line))
      assert.ok(after === before, `differs: ${differing.slice(0, 5).join('\n').slice(0, 2_000)}`)
    }),
    { numRuns: 10, seed: 27 },
  )
  assert.ok(undone >= 5, `only ${undone} imports were valid`)
})

test('undoing an import that removed a client brings back what went with it', async () => {
  const before = parse(await exportText(connection))
  const [client] = ofKind(before, 'client').filter(({ ClientId }) => ClientId === '20001')
  const { run, notes } = await importAll({ kind: 'client', ClientKey: client?.ClientKey, delete: true })
  assert.match(notes.join(), /Removed: client 20001 with .* accounts?/)

  await undo(run)

  const after = parse(await exportText(connection))
  const without = (all: Rec[]) =>
    all.filter(({ kind }) => kind !== 'app').map(({ PasswordHash: _, ...record }) => JSON.stringify(record))
  assert.deepEqual(without(after), without(before))
})

test('users who are there keep the password that they have now', async () => {
  const [eve] = ofKind(parse(await exportText(connection, ['user'])), 'user').filter(({ Name }) => Name === 'ada')
  const { run } = await importAll({ ...eve, Disabled: true, Password: `${demoPassword}2`, PasswordHash: undefined })
  const changed = parse(await exportText(connection, ['user'])).find(({ Name }) => Name === 'ada')

  await undo(run)

  const after = parse(await exportText(connection, ['user'])).find(({ Name }) => Name === 'ada')
  assert.equal(after?.Disabled, undefined)
  assert.equal(after?.PasswordHash, changed?.PasswordHash)
  assert.notEqual(after?.PasswordHash, eve?.PasswordHash)
})

test('a run whose records changed later is not undone, and neither is one that was undone', async () => {
  const first = await importAll(exchange, instrument(900_001), instrument(900_002))
  const second = await importAll(instrument(900_001, { Description: 'Changed' }))
  const before = await exportText(connection)

  const { errors } = await undoRun(connection, first.run ?? 0)

  assert.deepEqual(errors, [
    `Run ${first.run} cannot be undone: 1 record was changed after it.`,
    `instrument 900001: run ${second.run} changed it again.`,
  ])
  assert.equal(await exportText(connection), before)
  const { run } = await undo(second.run)
  assert.match((await undoRun(connection, second.run ?? 0)).errors[0] ?? '', new RegExp(`was undone by run ${run}`))
  await undo(run)
  assert.equal(await exportText(connection), before)
})

test('a run that others depend on is not undone', async () => {
  const added = await importAll(instrument(900_003))
  const [account] = ofKind(parse(await exportText(connection, ['account'])), 'account')
  await importAll(position(String(account?.AccountKey), 900_003, 5))

  const { errors } = await undoRun(connection, added.run ?? 0)

  assert.match(errors.join(), /still has 1 positions or events/)
})

test('a long list of later changes ends with how many more there are', async () => {
  const many = Array.from({ length: 120 }, (_, index) => instrument(910_000 + index))
  const first = await importAll(...many)
  await importAll(...many.map((one) => ({ ...one, Description: 'Changed' })))

  const { errors } = await undoRun(connection, first.run ?? 0)

  assert.equal(errors.length, 102)
  assert.equal(errors.at(-1), 'and 20 more')
})

test('a dry run of an undo changes nothing, and an unknown run is an error', async () => {
  const { run = 0 } = await importAll(instrument(900_004))
  const before = await exportText(connection)
  const runs = await db.selectFrom('history_run').select('run').execute()

  const { counts } = await undoRun(connection, run, { isDryRun: true })

  assert.deepEqual(counts, { instrument: { removed: 1 } })
  assert.equal(await exportText(connection), before)
  assert.deepEqual(await db.selectFrom('history_run').select('run').execute(), runs)
  await assert.rejects(undoRun(connection, run + 1), /There is no run \d+\. The last one is \d+\./)
})

test('elections that users made are theirs again; those made later are not lost', async () => {
  const [account, other] = ofKind(parse(await exportText(connection, ['account'])), 'account').map(
    (one) => one.AccountKey,
  )
  const holdings = (AccountKey: unknown) => ({ Holdings: [{ AccountKey }] })
  const withHolding = (AccountKey: unknown) => ({ ...event('undo-1', 900_004), ...holdings(AccountKey) })
  await importAll(withHolding(account))
  await sql`update event_holding set by_user = true where event_id = 'undo-1'`.execute(db)
  const { run = 0 } = await importAll(withHolding(other))

  await undo(run)

  const kept = db.selectFrom('event_holding').select(['account_key', 'by_user']).where('event_id', '=', 'undo-1')
  assert.deepEqual(await kept.execute(), [{ account_key: account, by_user: true }])
  const later = await importAll(withHolding(other))
  await sql`update election_count set last = last + 1`.execute(db)
  await sql`insert into election (number, event_id, account_key, elected_at, user_key, app_key, document)
    select last, 'undo-1', ${other}, now(), 'u', 'a', '{}' from election_count`.execute(db)
  assert.deepEqual((await undoRun(connection, later.run ?? 0)).errors.slice(1), [
    'event undo-1: users have elected since.',
  ])
})
