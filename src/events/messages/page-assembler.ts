import { MalformedMessage, ParseError, quoted } from './errors.ts'
import * as limits from './limits.ts'
import { findSenderReference, isCancelling, readEvent, readIsin, readReference } from './map/event.ts'
import type { Message, MessageError, Page } from './message.ts'
import { leavesOf, MessageNode, textOf } from './node.ts'
import { Reader } from './reader.ts'

/** So many lines stand before the page's file. */
type Placed = Page & Readonly<{ linesBefore: number }>
type Waiting = { reference: string; line: number; first: Page; pages: Map<number, Placed>; leaves: number }

/** Pages find each other by the reference of the event, also across files; a message is read when it is whole. */
export class PageAssembler {
  readonly #waiting = new Map<string, Waiting>()
  #count = 0
  #leaves = 0

  /** The message that this page makes whole, if it does. */
  add(given: Page, linesBefore: number): Message | undefined {
    const page: Placed = { ...given, linesBefore }
    if (page.page === 1 && page.isLast) return messageOf([page], page)
    const reference = findSenderReference(new Reader(page.format), page.root)?.value
    if (reference === undefined) throw new ParseError(page.line, 'Is a page without the reference of its event.')
    const key = `${page.format} ${reference}`
    const waiting = this.#waiting.get(key) ?? {
      reference,
      line: linesBefore + page.line,
      first: page,
      pages: new Map(),
      leaves: 0,
    }
    if (waiting.pages.has(page.page)) throw new ParseError(page.line, `Page ${page.page} of ${reference} comes twice.`)
    const leaves = countOf(leavesOf(page.root))
    if (this.#count >= limits.pagesWaiting || this.#leaves + leaves > limits.leavesWaiting)
      throw new ParseError(page.line, 'Too many pages wait for others.')
    if (waiting.leaves + leaves > limits.leavesOfMessage) throw tooManyLeaves(page.line)
    this.#count++
    this.#leaves += leaves
    waiting.leaves += leaves
    waiting.pages.set(page.page, page)
    this.#waiting.set(key, waiting)
    if (!isWhole(waiting)) return undefined
    this.#waiting.delete(key)
    this.#count -= waiting.pages.size
    this.#leaves -= waiting.leaves
    return messageOf(inOrder(waiting), page)
  }

  /** What is still missing when all files were read. Their lines are counted through, as of whoever added the pages. */
  faults(): MessageError[] {
    return [...this.#waiting.values()].map((waiting) => {
      const { first, reference, line } = waiting
      return { line, message: first.number, reason: `Of the pages of ${reference}, ${missingOf(waiting)} missing.` }
    })
  }
}

const inOrder = ({ pages }: Waiting): Placed[] => [...pages.values()].toSorted((a, b) => a.page - b.page)

/** Page numbers differ, so that as many as the last one's number are all. */
function isWhole({ pages }: Waiting): boolean {
  const last = pages.get(pages.size)
  return last?.isLast === true && !pages.has(0)
}

const mostNamed = 10

function missingOf(waiting: Waiting): string {
  const last = inOrder(waiting).at(-1)
  const end = last?.page ?? 0
  const missing = end - waiting.pages.size + Number(waiting.pages.has(0))
  const named: string[] = []
  for (let page = 1; page < end && named.length < mostNamed; page++)
    if (!waiting.pages.has(page)) named.push(String(page))
  if (missing > mostNamed) named.push(`${missing - mostNamed} more`)
  if (!last?.isLast) named.push('the last')
  return `${named.join(', ')} ${named.length > 1 ? 'are' : 'is'}`
}

/** `last` is the one that was read last. */
function messageOf(pages: readonly Placed[], last: Placed): Message {
  const [first = last] = pages
  const root = new MessageNode('', '', first.line)
  for (const page of pages) for (const part of page.root.parts) root.adopt(part)
  const leaves = pages.flatMap((page, index) =>
    [...leavesOf(page.root)].map((leaf) => ({
      leaf,
      page,
      path: index === 0 ? leaf.path : `Page[${index + 1}]/${leaf.path}`,
    })),
  )
  refuseMany(leaves.map(({ leaf }) => leaf))
  const reader = new Reader(first.format)
  const told = reader.unlessMalformed(() => ({
    reference: readReference(reader, root),
    isin: readIsin(reader, root),
    event: readEvent(reader, root),
  }))
  const malformed = leaves.flatMap(({ leaf, page, path }) => {
    const what = reader.malformed.get(leaf)
    // A page may have come with another file than the one at hand, in which lines are counted.
    const line = leaf.line + page.linesBefore - last.linesBefore
    return what === undefined ? [] : [new ParseError(line, `${path} ${quoted(textOf(leaf))} is no ${what}.`)]
  })
  if (!told || malformed.length > 0) throw new MalformedMessage(malformed)
  const unmapped = leaves
    .filter(({ leaf }) => !leaf.isMapped)
    .map(({ leaf, path }) => ({ Path: path, Value: leaf.value ?? '' }))
  refuseUnmapped(first, unmapped)
  return {
    format: first.format,
    number: last.number,
    line: last.line,
    ...told,
    cancels: isCancelling(reader, root),
    unmapped,
    leaves: { all: leaves.length, mapped: leaves.length - unmapped.length, unmapped: unmapped.length },
  }
}

function refuseMany(leaves: readonly MessageNode[]): void {
  const [first] = leaves
  if (leaves.length > limits.leavesOfMessage) throw tooManyLeaves(first?.line ?? 1)
}

const tooManyLeaves = (line: number) => new ParseError(line, `Holds more than ${limits.leavesOfMessage} values.`)

const countOf = (parts: Iterable<MessageNode>): number => Iterator.from(parts).reduce((count) => count + 1, 0)

/** Nothing is dropped in silence: what cannot be kept beside the event is a fault. */
function refuseUnmapped({ line }: Page, unmapped: Message['unmapped']): void {
  if (unmapped.length > limits.unmappedCount)
    throw new ParseError(
      line,
      `Has ${unmapped.length} values that no event can tell; up to ${limits.unmappedCount} are kept.`,
    )
  const long = unmapped.find(
    ({ Path, Value }) => Path.length > limits.unmappedPathLength || Value.length > limits.unmappedValueLength,
  )
  if (long) throw new ParseError(line, `The value at ${long.Path.slice(0, 200)} is too long to be kept.`)
}
