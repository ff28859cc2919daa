import pg from 'pg'
import { importTexts, type Result } from '../../support/service/import.ts'
import { type TestConnection, type TestDatabase, testDatabase } from '../../support/service/postgres.ts'
import { type FuzzFile, makeFile } from './mutate-file.ts'
import { records, unlisted } from './samples.ts'

export type FileFailure = Readonly<{ file: FuzzFile; reason: string }>
export type FileOutcome = Readonly<{
  files: number
  applied: number
  rejected: number
  failures: readonly FileFailure[]
  maxRss: number
}>

type Options = Readonly<{ seed: number; from: number; to: number; onProgress?(outcome: FileOutcome): void }>

/** A file that takes longer has hung. Generous, because the machine may be busy. */
const limitMs = 120_000
/** The day by which relative days are counted. */
const today = '2026-11-16'
/** Every error names the file and a line. */
const located = /^(file-\d+\.\w+:\d+[ :]|and \d+ more$)/
const leaks =
  /\b(TypeError|RangeError|ReferenceError|ECONN\w+|node_modules|SQLSTATE|relation "|violates|syntax error at|at \S+ \(\S+:\d+:\d+\))|\[object Object\]|\bundefined\b|\bNaN\b/

/** Imports the files of a seed, each into the same data, and checks that each is applied as a whole or not at all. */
export async function importFiles({ seed, from, to, onProgress }: Options): Promise<FileOutcome> {
  const world = await World.create()
  const outcome = { files: 0, applied: 0, rejected: 0, failures: [] as FileFailure[], maxRss: 0 }
  try {
    for (let index = from; index < to; index++) {
      const file = makeFile(seed, index)
      const { reason, isApplied } = await world.tryFile(file)
      outcome.files++
      if (isApplied) outcome.applied++
      else outcome.rejected++
      if (reason !== undefined) outcome.failures.push({ file, reason })
      outcome.maxRss = Math.max(outcome.maxRss, process.memoryUsage.rss())
      if (outcome.files % 500 === 0) onProgress?.(outcome)
    }
  } finally {
    await world.drop()
  }
  return outcome
}

/** A database with the records of the documentation, and copies of it. */
class World {
  readonly #base: TestDatabase
  #copy: TestDatabase | undefined
  #client: pg.Client | undefined
  #digest = ''
  #digestSql = ''

  private constructor(base: TestDatabase) {
    this.#base = base
  }

  static async create(): Promise<World> {
    const base = await testDatabase()
    const text = [...records, unlisted].map((record) => JSON.stringify(record)).join('\n')
    const { errors } = await importTexts(base.connection, { 'base.ndjson': text }, { today })
    if (errors.length > 0) throw new Error(`The samples are not valid: ${errors.join(' ')}`)
    return new World(base)
  }

  async tryFile(file: FuzzFile): Promise<{ reason: string | undefined; isApplied: boolean }> {
    this.#copy ??= await this.#makeCopy()
    const { connection } = this.#copy
    let result: Result
    try {
      result = await withinLimit(importTexts(connection, { [file.name]: file.bytes }, { today }))
    } catch (error) {
      await this.#dropCopy()
      return { reason: `it threw ${error instanceof Error ? error.stack : error}`, isApplied: false }
    }
    const isApplied = result.errors.length === 0
    const reason = isApplied
      ? await this.#appliedProblem(connection, file, result)
      : await this.#rejectedProblem(file, result)
    return { reason, isApplied }
  }

  async drop(): Promise<void> {
    await this.#dropCopy()
    await this.#base.drop()
  }

  /** What a rejected file has changed, or what its errors lack. */
  async #rejectedProblem(file: FuzzFile, { errors }: Result): Promise<string | undefined> {
    const digest = await this.#readDigest()
    if (digest !== this.#digest) {
      await this.#dropCopy()
      const changed = digest.split(',').filter((each) => !this.#digest.includes(each))
      return `it was rejected, and has changed ${changed.map((each) => each.split(' ', 1)[0]).join(', ')}`
    }
    // Without the zeros of UTF-16.
    const text = file.bytes.toString('latin1').replaceAll('\0', '')
    for (const error of errors) {
      if (!located.test(error)) return `an error names no line: ${error}`
      const leak = leaks.exec(error)?.[0]
      if (leak !== undefined && !text.includes(leak)) return `an error says ${leak}: ${error}`
      if (error.length > 5_000) return `an error has ${error.length} characters: ${error.slice(0, 300)}`
    }
    return undefined
  }

  /** The same file again must change nothing: what it says is in the database. */
  async #appliedProblem(connection: TestConnection, file: FuzzFile, first: Result): Promise<string | undefined> {
    if ((await this.#readDigest()) === this.#digest) {
      const changed = Object.entries(first.counts).find(([, count]) => isChange(count))
      return changed && `it reports changes of ${changed[0]}, and nothing has changed`
    }
    const again = await withinLimit(importTexts(connection, { [file.name]: file.bytes }, { today }))
    await this.#dropCopy()
    if (again.errors.length > 0) return `it was applied, and is rejected the second time: ${again.errors[0]}`
    const changed = Object.entries(again.counts).find(([, count]) => isChange(count))
    return changed && `the second time it changes ${JSON.stringify(changed)}`
  }

  async #makeCopy(): Promise<TestDatabase> {
    const copy = await testDatabase(this.#base.connection.database)
    this.#client = new pg.Client(copy.connection)
    await this.#client.connect()
    this.#digestSql ||= await digestSql(this.#client)
    this.#digest ||= await this.#readDigest()
    return copy
  }

  async #dropCopy(): Promise<void> {
    await this.#client?.end()
    await this.#copy?.drop()
    this.#client = undefined
    this.#copy = undefined
  }

  async #readDigest(): Promise<string> {
    const { rows } = (await this.#client?.query<{ digest: string }>(this.#digestSql)) ?? { rows: [] }
    return rows[0]?.digest ?? ''
  }
}

const isChange = ({ added = 0, changed = 0, removed = 0 }): boolean => added + changed + removed > 0

/** One statement over all rows of all tables. */
async function digestSql(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const parts = rows.map(
    ({ name }) =>
      `select '${name} ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as one from ${name} t`,
  )
  return `select string_agg(one, ',' order by one) as digest from (${parts.join(' union all ')}) all_tables`
}

function withinLimit<T>(promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<T>()
  const limit = setTimeout(() => reject(new Error(`no end within ${limitMs / 1000} s`)), limitMs)
  return Promise.race([promise, late]).finally(() => clearTimeout(limit))
}
