import type { MessageNode } from './node.ts'

/** Errors for which the importer may skip a message: its security is not named by ISIN, or it is no notification. */
export type ParseErrorCode = 'NoIsin' | 'OtherMessage'

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
  readonly leaf: MessageNode
  readonly expected: string

  constructor(leaf: MessageNode, expected: string) {
    super(`Is not a valid ${expected}.`)
    this.leaf = leaf
    this.expected = expected
  }
}

export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
