import { plural } from '../../core/text.ts'
import type { Db } from '../../database/open.ts'
import { findListings, maxMessageMegabytes, maxMessages, NotificationCollector } from '../../events/import/kinds.ts'
import {
  type Listing,
  type Message,
  type MessageError,
  messagesIn,
  PageAssembler,
  type Unmapped,
} from '../../events/import/messages.ts'
import type { LineNumbers } from '../import/errors.ts'
import type { Item } from './records.ts'
import type { MessageSource, Source } from './sources.ts'

export const maxMegabytes = 32
const batch = 200
const maxListed = 10
/** Paths come from the file, so their number must be bounded. */
const maxPaths = 10_000

const tooMany = `Exceeds the limit of one run: ${maxMessages} messages or ${maxMessageMegabytes} MB. Split it into several runs.`

/** Whether to skip messages about an unknown security, or of another type, instead of reporting an error. An unknown
 *  security is not reported if its instrument may be among the rejected records. */
type Choice = Readonly<{ skipsUnknown: boolean; skipsOther: boolean; reportsUnknown: boolean }>

/**
 * Turns files of messages into event records. They are read after all other files, so that instruments of the same run
 * are found by ISIN, and completely before the first record, because several messages may describe one event.
 * Values that an event has no field for are counted for the summary.
 */
export class MessageFiles {
  readonly #db: Db
  readonly #lines: LineNumbers
  readonly #choice: Choice
  readonly #pages = new PageAssembler()
  readonly #notifications = new NotificationCollector((values, unmapped) => this.#countUsed(values, unmapped))
  readonly #unmapped = new Map<string, number>()
  readonly #skipped = new Map<string, number>()
  readonly #left = { NoIdentifier: 0, OtherMessage: 0 }
  #read = 0
  #used = { messages: 0, values: 0, unmapped: 0 }

  constructor(db: Db, lines: LineNumbers, choice: Choice) {
    this.#db = db
    this.#lines = lines
    this.#choice = choice
  }

  async *read(source: MessageSource, onRead: (bytes: number) => void): AsyncGenerator<Item[]> {
    if (this.#notifications.isFull) return
    const bytes = await readWhole(source, onRead)
    if (bytes === undefined) {
      const error = `Is larger than ${maxMegabytes} MB, unpacked. Split it into several files of whole messages.`
      return yield [{ line: this.#lines.at(1), kind: 'event', error }]
    }
    const linesBefore = this.#lines.at(0)
    // A page that is missing its others is reported after later files were opened, so number all lines now.
    this.#lines.at(linesIn(bytes))
    for (const some of inBatches(messagesIn(bytes, source.format, this.#pages, linesBefore))) {
      const errors = some.filter((one) => 'reason' in one)
      yield errors.flatMap((error) => this.#errorUnlessSkipped(error))
      yield await this.#keep(some.filter((one) => 'identifiers' in one))
      if (this.#notifications.isFull) return
    }
  }

  /** Returns the records, and an error for every message with missing pages. Call it after the last file. */
  async *end(): AsyncGenerator<Item[]> {
    if (this.#notifications.isFull) return
    yield this.#pages.errors().map((error) => ({ line: error.line, kind: 'event', error: sentenceOf(error) }))
    for await (const some of this.#notifications.merge(this.#db))
      yield some.map(({ line, record }) => ({ line, value: { kind: 'event', ...record } }))
  }

  #itemFor(error: MessageError): Item {
    return { line: this.#lines.at(error.line), kind: 'event', error: sentenceOf(error) }
  }

  #errorUnlessSkipped(error: MessageError): Item[] {
    const { code, reason } = error
    if (code === undefined) return [this.#itemFor(error)]
    const { skipsUnknown, skipsOther } = this.#choice
    const [isSkipped, option] =
      code === 'NoIdentifier' ? [skipsUnknown, '--skip-unknown'] : [skipsOther, '--skip-other']
    if (!isSkipped) return [this.#itemFor({ ...error, reason: `${reason} Skip such messages with ${option}.` })]
    this.#left[code]++
    return []
  }

  async #keep(messages: readonly Message[]): Promise<Item[]> {
    const securities = await findListings(
      this.#db,
      messages.map(({ identifiers }) => identifiers),
    )
    return messages.flatMap((message, index): Item[] => {
      if (this.#notifications.isFull) return []
      const line = this.#lines.at(message.line)
      const [found, ...others] = securities[index] ?? []
      if (!found) return this.#missing(message, line)
      if (others.length > 0) return [{ line, kind: 'event', error: ambiguous(message, [found, ...others].flat()) }]
      this.#read++
      this.#notifications.add(message, found, line)
      return this.#notifications.isFull ? [{ line, kind: 'event', error: tooMany }] : []
    })
  }

  #missing({ identifiers, number }: Message, line: number): Item[] {
    const { skipsUnknown, reportsUnknown } = this.#choice
    if (skipsUnknown) add(this.#skipped, identifiers.join(' or '))
    if (skipsUnknown || !reportsUnknown) return []
    const remedy = 'Import an instrument with it (Isin or Identifiers), or skip such messages with --skip-unknown.'
    const reason = `No instrument has the ${identifiers.join(' or the ')}. ${remedy}`
    return [{ line, kind: 'event', error: sentenceOf({ line, message: number, reason }) }]
  }

  #countUsed(values: number, unmapped: readonly Unmapped[]): void {
    this.#used.messages++
    this.#used.values += values
    this.#used.unmapped += unmapped.length
    for (const { Path } of unmapped) add(this.#unmapped, Path.replaceAll(/\[\d+\]/g, ''))
  }

  /** Summarizes the messages that became events and those that were skipped. */
  notes(): string[] {
    const { older, superseded } = this.#notifications
    const skipped = total(this.#skipped)
    const { NoIdentifier, OtherMessage } = this.#left
    const their = skipped === 1 ? 'its' : 'their'
    const notes: [count: number, note: string][] = [
      [this.#read, this.#readNote()],
      [
        superseded,
        `${plural(superseded, 'record')} ${were(superseded)} superseded by later messages about the same event.`,
      ],
      [
        older.size,
        `Skipped ${plural(total(older), 'record')} of messages older than the present event: ${listed(older)}.`,
      ],
      [skipped, `${skippedNote(skipped)}: no instrument has ${their} identifier: ${listed(this.#skipped)}.`],
      [NoIdentifier, `${skippedNote(NoIdentifier)}: the security has no identifier.`],
      [OtherMessage, `${skippedNote(OtherMessage)}: neither seev.031 nor MT564.`],
    ]
    return notes.filter(([count]) => count > 0).map(([, note]) => note)
  }

  #readNote(): string {
    const { messages, values, unmapped } = this.#used
    const read = `${plural(this.#read, 'message')} ${were(this.#read)} read`
    if (messages === 0) return `${read}.`
    const used = messages < this.#read ? `; ${plural(messages, 'message')} became events` : ''
    const said = `${read}${used}. Of ${messages === 1 ? 'its' : 'their'} ${plural(values, 'value')} ${unmapped}`
    const without = `${said} ${unmapped === 1 ? 'has' : 'have'} no member in an event`
    if (unmapped === 0) return `${without}.`
    return `${without}; ${unmapped === 1 ? 'it is' : 'they are'} kept as its Source: ${listed(this.#unmapped)}.`
  }
}

const were = (count: number): string => (count === 1 ? 'was' : 'were')
const skippedNote = (count: number): string => `${plural(count, 'message')} ${were(count)} skipped`

export const sentenceOf = ({ message, reason }: MessageError): string =>
  message === undefined ? reason : `Message ${message}: ${reason}`

function ambiguous({ identifiers, line, number }: Message, listings: readonly Listing[]): string {
  const uics = [...new Set(listings.map(({ Uic }) => Uic))]
  const shown = [...uics.slice(0, maxListed), ...(uics.length > maxListed ? ['others'] : [])].join(', ')
  const remedy = 'Remove it from the wrong ones, or give listings of one security the same Isin.'
  const reason = `Several securities have the ${identifiers.join(' or the ')}: instruments ${shown}. ${remedy}`
  return sentenceOf({ line, message: number, reason })
}

function linesIn(bytes: Buffer): number {
  let lines = 1
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) lines++
  return lines
}

function* inBatches<T>(items: Iterable<T>): Generator<T[]> {
  let some: T[] = []
  for (const item of items) {
    some.push(item)
    if (some.length < batch) continue
    yield some
    some = []
  }
  yield some
}

function add(counts: Map<string, number>, name: string): void {
  const known = counts.size < maxPaths || counts.has(name) ? name : 'others'
  counts.set(known, (counts.get(known) ?? 0) + 1)
}

const total = (counts: ReadonlyMap<string, number>): number => counts.values().reduce((sum, count) => sum + count, 0)

function listed(counts: ReadonlyMap<string, number>): string {
  const all = [...counts].toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
  const shown = all.slice(0, maxListed).map(([name, count]) => (count > 1 ? `${name} (${count} times)` : name))
  return [...shown, ...(all.length > maxListed ? [`and ${all.length - maxListed} more`] : [])].join(', ')
}

export async function readWhole(source: Source, onRead: (bytes: number) => void): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source.open(onRead)) {
    length += chunk.length
    if (length > maxMegabytes * 1024 * 1024) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
