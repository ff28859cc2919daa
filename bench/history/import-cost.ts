import { sql } from 'kysely'
import { openDatabase } from '../../src/database/open.ts'
import type { ReferenceSetting } from '../reference/setting.ts'
import { medianOf } from '../support/load.ts'
import { processorTimeOfAll } from '../support/processor-time.ts'
import type { BenchDatabase } from '../support/refdesk.ts'
import { atMost, heading, line, progress } from '../support/report.ts'

const rounds = 3
const aim = 1.3

type Costs = Readonly<{ first: number[]; changed: number[] }>

/** Processor time of `refdesk import`, its PostgreSQL included, with the history and without its triggers: the first import of
 *  the instruments, and one that changes all of them. */
export async function benchImportCost(setting: ReferenceSetting): Promise<void> {
  heading('Processor time of an import, with and without the history')
  const { instrumentsFile, counts } = await setting.universe.written()
  const changed = await setting.universe.changed('changed', { every: 1 })
  const [withHistory, without]: [Costs, Costs] = [
    { first: [], changed: [] },
    { first: [], changed: [] },
  ]
  for (let round = 1; round <= rounds; round++)
    for (const costs of [withHistory, without]) {
      const kind = costs === without ? 'without' : 'with'
      progress(`round ${round}, ${kind} the history`)
      const database = await setting.place.database.another(`cost_${kind}_${round}`)
      if (costs === without) await disableHistory(database)
      costs.first.push(await costOf(() => setting.importInto(database, [instrumentsFile])))
      costs.changed.push(await costOf(() => setting.importInto(database, [changed.file])))
    }
  report('first import', counts.instruments, withHistory.first, without.first)
  report('import that changes everything', changed.count, withHistory.changed, without.changed)
}

/** Seconds. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = await processorTimeOfAll()
  await work()
  const after = await processorTimeOfAll()
  if (before === undefined || after === undefined) throw new Error('Processor time is known on Linux only.')
  return (after - before) / 1_000_000
}

function report(name: string, count: number, costs: readonly number[], without: readonly number[]): void {
  const [ours, rival] = [medianOf(costs), medianOf(without)]
  const each = (seconds: number) => `${((seconds * 1_000_000) / count).toFixed(1)} µs a record`
  const shown = (seconds: readonly number[]) => `rounds: ${seconds.map((value) => value.toFixed(2)).join(' ')}`
  line(`${name}, with the history`, `${ours.toFixed(2)} s`, `${each(ours)}; ${shown(costs)}`)
  line(`${name}, without`, `${rival.toFixed(2)} s`, `${each(rival)}; ${shown(without)}`)
  const sides = { ours: each(ours), rival: `without: ${each(rival)}` }
  atMost(`${name}: processor time with the history / without`, ours / rival, aim, '', sides)
}

async function disableHistory(database: BenchDatabase): Promise<void> {
  const { db, close } = openDatabase(database.connection, 1)
  try {
    const { rows } = await sql<{ table: string; trigger: string }>`
      select c.relname as table, t.tgname as trigger from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_proc p on p.oid = t.tgfoid where p.proname = 'note_versions'`.execute(db)
    for (const { table, trigger } of rows)
      await sql`alter table ${sql.table(table)} disable trigger ${sql.id(trigger)}`.execute(db)
  } finally {
    await close()
  }
}
