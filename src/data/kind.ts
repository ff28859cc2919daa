import type { TObject } from 'typebox'
import type { Db, Trx } from '../database/open.ts'
import type { CopyValue, ReportError, Stage, StagedErrors } from '../database/staging/copy.ts'
import type { Filled } from '../database/staging/stages.ts'

/** One kind of record (§9.1). Each domain describes its kinds as plain objects of this type. */
export interface Kind {
  readonly name: string
  /** The members that identify a record; empty if all members together do. */
  readonly key: readonly string[]
  /** Closed: unknown members are errors. */
  readonly schema: TObject
  readonly stage: Stage
  check?(record: object, reportError: ReportError): void
  /** Reports what is valid, but probably not what was meant. */
  warn?(record: object, report: ReportError): void
  /** The values of the stage's columns; `document` is the stored record. */
  row(record: object, document: string): CopyValue[]
}

export type Count = Readonly<{ kind: string; added: number; changed: number; unchanged: number; removed: number }>

/** Kinds that are checked and applied together. Statements that depend only on stages without rows are left out. */
export interface Family {
  readonly kinds: readonly Kind[]
  findErrors(db: Db, filled: Filled): Promise<StagedErrors[]>
  /** Applies the staged records. `notes` are for the summary; `state` describes the result. `revision` is that of the
   *  reference data. */
  apply(trx: Trx, filled: Filled): Promise<{ counts: Count[]; notes: string[]; state?: string[]; revision?: number }>
}

/** Reads all records of one kind as JSON, in key order. */
export interface Exporter {
  readonly kind: string
  read(db: Db, since: number): AsyncIterable<readonly string[]>
}
