import type { Caller } from '../../core/caller.ts'
import type { ExplainedRow, Explanation, ExplanationStep } from '../../core/explain/schema.ts'
import type { Problem } from '../../core/problem.ts'
import type { Operation, RequestOf } from '../operation.ts'

/** A request to explain: its parameters as the operation reads them. */
export type Asked<O extends Operation> = Pick<RequestOf<O>, 'params' | 'query'> & Readonly<{ caller: Caller }>

/** What an operation would answer, and why. An error that it would answer with is `problem`, or thrown. */
export type Explained = Readonly<{
  summary: string
  steps: readonly ExplanationStep[]
  rows?: readonly ExplainedRow[]
  count?: number
  problem?: Problem
}>

/** A request that the log has. */
export type Logged = Readonly<{
  /** What was sent. */
  sent: ExplanationStep
  /** Path and query of a GET request that was answered by the rules of its operation. */
  target: string | undefined
  /** Whether the caller sent it. */
  isOwn: boolean
  /** From what the log has of it. */
  explanation: Explanation
}>

export type Explainer = Readonly<{ operation: Operation; explain(asked: Asked<Operation>): Promise<Explained> }>

/** An operation that can be explained, with the types of its own parameters. */
export const explainer = <O extends Operation>(
  operation: O,
  explain: (asked: Asked<O>) => Promise<Explained>,
): Explainer => ({ operation, explain: explain as Explainer['explain'] })
