import type { MessageNode } from './node.ts'

/** Errors for which the importer may skip a message: its security has no identifier, or it is no notification. */
export type ParseErrorCode = 'NoIdentifier' | 'OtherMessage'

export class ParseError extends Error {
  readonly line: number
  readonly code: ParseErrorCode | undefined

  constructor(line: number, reason: string, code?: ParseErrorCode) {
    super(reason)
    this.line = line
    this.code = code
  }
}

/** A value that the standard does not allow. Ignoring it would lose information silently. */
export class MalformedValue extends Error {
  readonly node: MessageNode
  /** Completes a sentence that begins with the path and the text of the node. */
  readonly problem: string

  constructor(node: MessageNode, problem: string) {
    super(problem)
    this.node = node
    this.problem = problem
  }
}

export const invalid = (node: MessageNode, expected: string): MalformedValue =>
  new MalformedValue(node, `is not a valid ${expected}`)

export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
