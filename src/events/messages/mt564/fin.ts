import { lineAt } from '../decode.ts'
import { ParseError } from '../errors.ts'

/** A block of a FIN message: 1 is the sender, 2 the type, 4 the text. */
export type Block = Readonly<{ id: string; content: string; line: number }>

const maxBlocks = 50

/** Splits a file into the blocks of each message, with or without separator ($) and envelopes. */
export function* finMessages(text: string): Generator<readonly Block[] | ParseError> {
  let blocks: Block[] = []
  for (const block of blocksIn(text)) {
    if (block instanceof ParseError) {
      if (blocks.some(isText)) yield blocks
      // An envelope before it belongs to the unreadable message.
      blocks = []
      yield block
      continue
    }
    if (blocks.length >= maxBlocks || (blocks.some(isText) && !/^[5S]$/.test(block.id))) {
      yield blocks
      blocks = []
    }
    blocks.push(block)
  }
  if (blocks.length > 0) yield blocks
}

/** The block 4 of an acknowledgement, in braces, is not text; the acknowledged message follows. */
export const isText = ({ id, content }: Block): boolean => id === '4' && !content.startsWith('{')

/** Some interfaces write control characters around messages. */
const between = /[\s$\p{Cc}]*/uy
const opening = /\{([0-9A-Z]):/y
const restart = /\{1:|(?<=\n):16R:GENL/g

/** A sticky pattern matches at this position, a global one there or later. */
function matchFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function* blocksIn(text: string): Generator<Block | ParseError> {
  let [at, line, counted] = [0, 1, 0]
  const lineOf = (position: number): number => {
    line += lineAt(text.slice(counted, position), position - counted) - 1
    counted = position
    return line
  }
  while (true) {
    at += matchFrom(between, text, at)?.[0].length ?? 0
    if (at >= text.length) return
    const here = lineOf(at)
    const [start = '', id = ''] = matchFrom(opening, text, at) ?? []
    const end = start === '' ? endOfFields(text, at) : endOfBlock(text, at, id)
    if (end === undefined && start !== '') {
      yield new ParseError(here, `Block ${id} is not closed.`)
      return
    }
    if (end === undefined) {
      yield new ParseError(here, 'Expected a block {1:...} or a field :16R:...')
      at = matchFrom(restart, text, at + 1)?.index ?? text.length
      continue
    }
    const content = text.slice(at + start.length, end.content)
    if (start === '') yield* bareMessages(content, here)
    else yield { id, content, line: here }
    at = end.next
  }
}

type End = { content: number; next: number }

function endOfBlock(text: string, at: number, id: string): End | undefined {
  if (id === '4' && text[at + 3] !== '{') {
    const found = matchFrom(/\n?-\}/g, text, at)
    return found ? { content: found.index, next: found.index + found[0].length } : undefined
  }
  let depth = 0
  const brace = /[{}]/g
  brace.lastIndex = at
  for (let found = brace.exec(text); found; found = brace.exec(text)) {
    depth += found[0] === '{' ? 1 : -1
    if (depth === 0) return { content: found.index, next: brace.lastIndex }
  }
  return undefined
}

/** Bare fields end at a separator line, at the next envelope or with the file. */
function endOfFields(text: string, at: number): End | undefined {
  if (text[at] !== ':') return undefined
  const found = matchFrom(/\n(-\}?[ \t]*(?=\n|$)|\$|(?=\{1:))/g, text, at)
  const content = found?.index ?? text.length
  return { content, next: content + (found?.[0].length ?? 0) }
}

/** Each GENL sequence begins a message. */
function* bareMessages(content: string, line: number): Generator<Block> {
  let first = line
  for (const text of content.split(/\n(?=:16R:GENL)/)) {
    yield { id: '4', content: text, line: first }
    first += text.split('\n').length
  }
}
