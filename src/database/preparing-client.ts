import pg from 'pg'
import { sha256 } from '../core/crypto/keys.ts'

/** The names of the SQL texts that are sent as prepared statements. Every connection keeps each of them with its plan, so
 *  their number is limited. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #max: number

  constructor(max = 200) {
    this.#max = max
  }

  add(text: string): void {
    if (this.#names.has(text)) return
    if (this.#names.size >= this.#max) throw new Error(`More than ${this.#max} statements are prepared.`)
    this.#names.set(text, `refdesk_${sha256(text).toString('hex').slice(0, 16)}`)
  }

  of(text: string): string | undefined {
    return this.#names.get(text)
  }
}

export const statementNames = new StatementNames()

/** PostgreSQL says so after a migration has changed the type of a column that a prepared statement returns. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('cached plan must not change result type')

/** So many statements until plans are made again for the first time. PostgreSQL keeps none before the sixth. */
const firstRenewal = 16

/** A connection that sends named statements by name, so that PostgreSQL parses each only once, and plans it a few times. */
export class PreparingClient extends pg.Client {
  /** Part of the names: statements of a new generation are parsed again. */
  #generation = 0
  #namedCount = 0
  #nextRenewal = firstRenewal

  // `never` fits the results of all overloads.
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' && rest.length === 0 ? statementNames.of(text) : undefined
    if (name !== undefined) return this.#queryNamed(name, text as string, values as unknown[]) as never
    return (super.query as (...args: unknown[]) => never).apply(this, args)
  }

  /** A plan that was made for a small table reads all of it, also when it has grown. So whenever the number of statements has
   *  doubled, plans are made again. */
  async #renewPlans(): Promise<void> {
    this.#nextRenewal *= 2
    // It fails with its transaction or its connection, and so does the statement that follows.
    await super.query('discard plans').catch(() => {})
  }

  /** Repeats an outdated statement once, unless it has failed a transaction; then the next attempt works. */
  async #queryNamed(name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
    const query = () => super.query({ name: `${name}_${this.#generation}`, text, values })
    if (++this.#namedCount >= this.#nextRenewal) await this.#renewPlans()
    try {
      return await query()
    } catch (error) {
      if (!isOutdated(error)) throw error
      this.#generation++
      if (this.getTransactionStatus() !== 'I') throw error
      return query()
    }
  }
}
