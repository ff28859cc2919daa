import { ParseError, quoted } from './errors.ts'
import * as limits from './limits.ts'
import { findSenderReference, isCancelling, readEvent, readIdentifiers, readReference } from './map/event.ts'
import type { Mapped, Message, MessageError, Page } from './message.ts'
import { elementsOf, leavesOf, MessageNode, textOf } from './node.ts'
import { Reader } from './reader.ts'

/** `number` is the position of the page in its file, from 1; `linesBefore` are the lines of the files before its own. */
type PagePosition = Readonly<{ number: number; linesBefore: number }>
type PlacedPage = Page & PagePosition
type Pending = { reference: string; line: number; first: PlacedPage; pages: Map<number, PlacedPage>; leaves: number }

/** Collects the pages of messages by the reference of the event, across files, and reads complete messages. */
export class PageAssembler {
  readonly #pending = new Map<string, Pending>()
  readonly #explains: boolean
  #pages = 0
  #leaves = 0

  /** `explains`: messages also list their mapped values. */
  constructor(explains = false) {
    this.#explains = explains
  }

  /** Returns the message that this page completes, if any. */
  add(given: Page, position: PagePosition): Message | undefined {
    const page: PlacedPage = { ...given, ...position }
    if (page.page === 1 && page.isLast) return readMessage([page], page, this.#explains)
    const reference = findSenderReference(new Reader(page.format), page.root)?.value
    if (reference === undefined) throw new ParseError(page.line, 'The page has no reference of its event.')
    const key = `${page.format} ${reference}`
    const line = page.linesBefore + page.line
    const pending = this.#pending.get(key) ?? { reference, line, first: page, pages: new Map(), leaves: 0 }
    if (pending.pages.has(page.page))
      throw new ParseError(page.line, `Page ${page.page} of ${reference} occurs more than once.`)
    const leaves = Iterator.from(leavesOf(page.root)).reduce((count) => count + 1, 0)
    if (this.#pages >= limits.pendingPages || this.#leaves + leaves > limits.pendingLeaves)
      throw new ParseError(page.line, 'Too many pages of incomplete messages.')
    if (pending.leaves + leaves > limits.leavesOfMessage) throw tooManyLeaves(page.line)
    this.#pages++
    this.#leaves += leaves
    pending.leaves += leaves
    pending.pages.set(page.page, page)
    this.#pending.set(key, pending)
    // Page numbers are unique, so a message is complete if it has as many pages as the number of its last one.
    if (!pending.pages.get(pending.pages.size)?.isLast || pending.pages.has(0)) return undefined
    this.#pending.delete(key)
    this.#pages -= pending.pages.size
    this.#leaves -= pending.leaves
    return readMessage(inOrder(pending), page, this.#explains)
  }

  /** The incomplete messages after the last file. Lines are counted through all files. */
  errors(): MessageError[] {
    return [...this.#pending.values()].map((pending) => {
      const { first, reference, line } = pending
      return { line, message: first.number, reason: `Missing pages of ${reference}: ${missingPages(pending)}.` }
    })
  }
}

const inOrder = ({ pages }: Pending): PlacedPage[] => [...pages.values()].toSorted((a, b) => a.page - b.page)

const maxListed = 10

function missingPages(pending: Pending): string {
  const last = inOrder(pending).at(-1)
  const end = last?.page ?? 0
  const missing = end - pending.pages.size + Number(pending.pages.has(0))
  const listed: string[] = []
  for (let page = 1; page < end && listed.length < maxListed; page++)
    if (!pending.pages.has(page)) listed.push(String(page))
  if (missing > maxListed) listed.push(`${missing - maxListed} more`)
  if (!last?.isLast) listed.push('the last')
  return listed.join(', ')
}

type PlacedLeaf = Readonly<{ leaf: MessageNode; path: string }>

function readMessage(pages: readonly PlacedPage[], current: PlacedPage, explains: boolean): Message {
  const [first = current] = pages
  const root = new MessageNode('', '', first.line)
  for (const page of pages) for (const node of page.root.children) root.adopt(node)
  const leaves = pages.flatMap((page, index): PlacedLeaf[] =>
    [...leavesOf(page.root)].map((leaf) => ({ leaf, path: pathOn(index, leaf) })),
  )
  if (leaves.length > limits.leavesOfMessage) throw tooManyLeaves(leaves[0]?.leaf.line ?? 1)
  const reader = new Reader(first.format)
  const content = reader.unlessMalformed(() => ({
    reference: readReference(reader, root),
    identifiers: readIdentifiers(reader, root),
    event: readEvent(reader, root),
  }))
  const others = content ? leaves.filter(({ leaf }) => leaf.mappedTo === undefined) : []
  for (const { leaf } of others) if (!reader.malformed.has(leaf)) reader.parse.otherRate(leaf)
  const malformed = malformedErrors(reader, pages, current)
  if (!content || malformed.length > 0) throw new AggregateError(malformed)
  const unmapped = others.map(({ leaf, path }) => ({ Path: path, Value: leaf.value ?? '' }))
  checkUnmapped(first, unmapped)
  return {
    format: first.format,
    number: current.number,
    line: current.line,
    ...content,
    cancels: isCancelling(reader, root),
    unmapped,
    values: leaves.length,
    ...(explains && { mapped: leaves.flatMap(mappedOf) }),
  }
}

const mappedOf = ({ leaf, path }: PlacedLeaf): Mapped[] =>
  leaf.mappedTo === undefined ? [] : [{ Field: leaf.mappedTo, Path: path, Value: leaf.value ?? '' }]

/** Lines are relative to the current file; a page may be from an earlier one. */
function malformedErrors(reader: Reader, pages: readonly PlacedPage[], current: PlacedPage): ParseError[] {
  // Several fields may be read from one element; the innermost error says most.
  const outer = new Set([...reader.malformed.keys()].flatMap(({ path }) => outerPaths(path)))
  return pages.flatMap((page, index) =>
    [...reader.malformed]
      .filter(([node]) => node.page === page.root && !outer.has(node.path))
      .toSorted(([a], [b]) => a.line - b.line)
      .map(([node, problem]) => {
        const text = node.value === undefined && elementsOf(node).length > 0 ? '' : ` ${quoted(textOf(node))}`
        const line = node.line + page.linesBefore - current.linesBefore
        return new ParseError(line, `${pathOn(index, node)}${text} ${problem}.`)
      }),
  )
}

const outerPaths = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

const pathOn = (index: number, { path }: MessageNode): string => (index === 0 ? path : `Page[${index + 1}]/${path}`)

const tooManyLeaves = (line: number) => new ParseError(line, `Has more than ${limits.leavesOfMessage} values.`)

/** Nothing is dropped silently: what cannot be stored with the event is an error. */
function checkUnmapped({ line }: Page, unmapped: Message['unmapped']): void {
  if (unmapped.length > limits.unmappedCount)
    throw new ParseError(
      line,
      `Has ${unmapped.length} values that no event field can hold; at most ${limits.unmappedCount} can be stored.`,
    )
  const long = unmapped.find(
    ({ Path, Value }) => Path.length > limits.unmappedPathLength || Value.length > limits.unmappedValueLength,
  )
  if (long) throw new ParseError(line, `The value at ${long.Path.slice(0, 200)} is too long to be stored.`)
}
