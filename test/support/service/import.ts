import { after } from 'node:test'
import { undoWork } from '../../../src/data/history/undo.ts'
import { importRecords } from '../../../src/data/import/import-records.ts'
import { runImport, type Undo } from '../../../src/data/import/run-import.ts'
import type { Count } from '../../../src/data/kind.ts'
import { exporters, familiesOf, namedExporters } from '../../../src/data/kinds.ts'
import { Progress } from '../../../src/data/progress.ts'
import { runExport } from '../../../src/data/run-export.ts'
import type { Format, Source } from '../../../src/data/sources/sources.ts'
import { type Connection, type Db, openDatabase, type Trx } from '../../../src/database/open.ts'
import { withOwnConnection } from '../../../src/database/staging/copy.ts'
import { testDatabase } from './postgres.ts'
import { masterKey } from './service.ts'

export type Result = {
  errors: string[]
  counts: Record<string, Partial<Count>>
  notes: string[]
  /** Of the history. */
  run?: number | undefined
  /** Of the changes after it. */
  cursor?: string
}

const formatOf = (name: string): Format =>
  name.endsWith('.xml') ? 'seev031' : name.endsWith('.fin') ? 'mt564' : name.endsWith('.csv') ? 'csv' : 'ndjson'

/** `refdesk import` of these files, in this process. */
export async function importTexts(
  connection: Connection,
  texts: Record<string, string | Buffer>,
  options: {
    isDryRun?: boolean
    skipsUnknown?: boolean
    skipsOther?: boolean
    signal?: AbortSignal
    secrets?: 'listed' | 'once'
    today?: string
  } = {},
): Promise<Result> {
  const sources = Object.entries(texts).map(([name, text]): Source => {
    const bytes = Buffer.from(text)
    async function* open() {
      // Small pieces, so that lines are cut anywhere.
      for (let start = 0; start < bytes.length; start += 100_003) yield bytes.subarray(start, start + 100_003)
    }
    return { name, format: formatOf(name), size: bytes.length, open }
  })
  return runSources(connection, sources, options)
}

/** `refdesk import --undo RUN`, in this process. `beforeLock` runs once the run was found, `beforeMerge` after the first check
 *  for later changes. */
export function undoRun(
  connection: Connection,
  run: number,
  {
    beforeLock,
    beforeMerge,
    ...options
  }: { isDryRun?: boolean } & Partial<Record<'beforeLock' | 'beforeMerge', () => Promise<void>>> = {},
): Promise<Result> {
  return withOwnConnection(connection, async (db) => {
    const { sources, undo } = await undoWork(db, run, Temporal.Now.instant())
    await beforeLock?.()
    const prepare: Undo['prepare'] = async (trx, filled) => {
      const rejection = await undo.prepare(trx, filled)
      await beforeMerge?.()
      return rejection
    }
    return runSources(connection, sources, options, { ...undo, prepare })
  })
}

type Options = NonNullable<Parameters<typeof importTexts>[2]>

async function runSources(connection: Connection, sources: Source[], options: Options, undo?: Undo): Promise<Result> {
  const now = Temporal.Now.instant()
  const progress = new Progress({ write: () => {} }, undefined)
  const outcome = await runImport({
    connection,
    families: familiesOf({ masterKey, config: { secrets: options.secrets ?? 'listed' }, now }),
    sources,
    progress,
    isDryRun: options.isDryRun ?? false,
    skipsUnknown: options.skipsUnknown ?? false,
    skipsOther: options.skipsOther ?? false,
    today: Temporal.PlainDate.from(options.today ?? now.toString().slice(0, 10)),
    audit: async () => {},
    ...(options.signal && { signal: options.signal }),
    ...(undo && { undo }),
  }).finally(() => progress.end())
  if ('errors' in outcome) return { errors: outcome.errors, counts: {}, notes: [] }
  const counted = outcome.counts.map(({ kind, ...counts }) => {
    const some = Object.entries(counts).filter(([, count]) => count > 0)
    return [kind, Object.fromEntries(some)] as const
  })
  return {
    errors: [],
    counts: Object.fromEntries(counted.filter(([, counts]) => Object.keys(counts).length > 0)),
    notes: outcome.notes,
    run: outcome.run,
    cursor: outcome.cursor,
  }
}

/** Imports records in a transaction, as the demo data is loaded. */
export function importGenerated(trx: Trx, records: Iterable<{ kind: string }>, now = Temporal.Now.instant()) {
  return importRecords(trx, familiesOf({ masterKey, config: { secrets: 'listed' }, now }), records)
}

/** `refdesk export`, in this process. */
export async function exportText(connection: Connection, kinds?: string[], since?: number): Promise<string> {
  let text = ''
  const chosen = kinds ? [...exporters, ...namedExporters].filter(({ kind }) => kinds.includes(kind)) : exporters
  const collect = async (lines: AsyncIterable<string>) => {
    for await (const line of lines) text += line
  }
  await runExport(connection, chosen, collect, since)
  return text
}

/** A migrated database for the tests of a file, empty or as its template is. */
export async function databaseForFile(from?: string, connections = 2): Promise<{ connection: Connection; db: Db }> {
  const database = await testDatabase(from)
  const { db, close } = openDatabase(database.connection, connections)
  after(async () => {
    await close()
    await database.drop()
  })
  return { connection: database.connection, db }
}

export const lines = (...records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')

export const exchange = {
  kind: 'exchange',
  ExchangeId: 'LSE',
  Name: 'London',
  CountryCode: 'GB',
  TimeZone: 'Europe/London',
  Hours: [{ Days: ['Mon'], Start: '08:00', End: '16:30' }],
}

export const instrument = (Uic: number, more: object = {}) => ({
  kind: 'instrument',
  Uic,
  ExchangeId: 'LSE',
  Symbol: `S${Uic}:xlon`,
  Description: `Instrument ${Uic}`,
  CurrencyCode: 'GBP',
  As: [{ AssetType: 'Stock' }],
  ...more,
})

export const optionRoot = (OptionRootId: number, uics: number[], more: object = {}) => ({
  kind: 'optionRoot',
  OptionRootId,
  AssetType: 'StockOption',
  ExchangeId: 'LSE',
  Symbol: `R${OptionRootId}`,
  Description: `Options ${OptionRootId}`,
  CurrencyCode: 'GBP',
  Series: [
    {
      Expiry: '2027-01-15',
      Options: uics.map((Uic) => ({ Uic, PutCall: 'Call', StrikePrice: Uic })),
    },
  ],
  ...more,
})

/** What an account with this key holds; `Uic` is that of a Stock. */
export const position = (AccountKey: string, Uic: number, Amount: number, more: object = {}) => ({
  kind: 'position',
  AccountKey,
  Uic,
  AssetType: 'Stock',
  Amount,
  ...more,
})

export const event = (EventId: string, Uic: number, more: object = {}) => ({
  kind: 'event',
  EventId,
  Uic,
  AssetType: 'Stock',
  CorporateActionType: 'Mandatory',
  EventType: { Code: 'DVCA' },
  EventState: 'Confirmed',
  ...more,
})
