import type { MessageNode } from './node.ts'

/** Why programs leave a message out without a fault, where they are asked to. */
export type ParseErrorCode = 'NoIsin' | 'OtherMessage'

/** Ends the reading of a message, or of a file, with a sentence for people, and a code where programs decide by it. */
export class ParseError extends Error {
  readonly line: number
  readonly code: ParseErrorCode | undefined

  constructor(line: number, reason: string, code?: ParseErrorCode) {
    super(reason)
    this.line = line
    this.code = code
  }
}

/** A value that is not written as the standard writes it. It says something that would get lost without a word. */
export class MalformedValue extends Error {
  readonly leaf: MessageNode
  /** What it should be. */
  readonly what: string

  constructor(leaf: MessageNode, what: string) {
    super(`Is no ${what}.`)
    this.leaf = leaf
    this.what = what
  }
}

/** All values of a message that are malformed, each with its place. */
export class MalformedMessage extends Error {
  readonly faults: readonly ParseError[]

  constructor(faults: readonly ParseError[]) {
    super('Holds malformed values.')
    this.faults = faults
  }
}

export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
