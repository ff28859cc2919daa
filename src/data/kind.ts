import type { TObject } from 'typebox'
import type { Db, Trx } from '../database/open.ts'
import type { CopyValue, ReportError, Stage, StagedErrors } from '../database/staging/copy.ts'

/** One kind of record (contract §9). The domains describe theirs as plain objects of this form. */
export interface Kind {
  readonly name: string
  /** The members that tell one record from all others; empty when all members together do. */
  readonly key: readonly string[]
  /** Closed: a member that it does not name is a fault. */
  readonly schema: TObject
  readonly stage: Stage
  /** What the schema cannot say. */
  check?(record: object, reportError: ReportError): void
  /** The values of the stage's columns; `document` is the record as it is kept. */
  row(record: object, document: string): CopyValue[]
}

export type Count = Readonly<{ kind: string; added: number; changed: number; unchanged: number; removed: number }>

/** Kinds that are checked and applied together, from their stages. */
export interface Family {
  readonly kinds: readonly Kind[]
  findErrors(db: Db): Promise<StagedErrors[]>
  /** Applies what is staged. Notes are sentences for the summary; the state is what is so from then on. */
  apply(trx: Trx): Promise<{ counts: Count[]; notes: string[]; state?: string[] }>
}

/** Writes all records of one kind, as the JSON texts of their documents, in the order of their keys. */
export interface Exporter {
  readonly kind: string
  read(db: Db): AsyncIterable<readonly string[]>
}
