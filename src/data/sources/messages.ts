import { counted } from '../../core/plural.ts'
import type { Db } from '../../database/open.ts'
import { findListings, mostMegabytesTold, mostMessages, ToldEvents } from '../../events/import/kinds.ts'
import {
  type Message,
  type MessageFault,
  messagesIn,
  type Unmapped,
  WaitingPages,
} from '../../events/import/messages.ts'
import type { Places } from '../import/errors.ts'
import type { Item } from './records.ts'
import { isMessageFormat, type Source } from './sources.ts'

const mostMegabytes = 32
const batch = 200
const mostTold = 10
/** Paths come from the file, so there might be any number of them. */
const mostPaths = 10_000

const tooMany = `Is more than one run takes: ${mostMessages} messages, or ${mostMegabytesTold} MB of them. Divide the run.`

/** What becomes of a message about a security that no instrument is found by, and of one that is no notification: it is
 *  left out, or it is a fault. One of an unknown security is told unless the instrument may be among those that were
 *  refused. */
type Choice = Readonly<{ skipsUnknown: boolean; skipsOther: boolean; tellsUnknown: boolean }>

/**
 * Files of messages, as event records. They are read after all other files of the run, so that an instrument of the same
 * run is found by its ISIN; and to the last before there is any record, because several may be about one event. What they
 * say that an event has no member for is counted for the summary.
 */
export class MessageFiles {
  readonly #db: Db
  readonly #places: Places
  readonly #choice: Choice
  readonly #waiting = new WaitingPages()
  readonly #told = new ToldEvents((values, unmapped) => this.#countUsed(values, unmapped))
  readonly #unmapped = new Map<string, number>()
  readonly #skipped = new Map<string, number>()
  readonly #left = { NoIsin: 0, OtherMessage: 0 }
  #read = 0
  #used = { messages: 0, values: 0, unmapped: 0 }

  constructor(db: Db, places: Places, choice: Choice) {
    this.#db = db
    this.#places = places
    this.#choice = choice
  }

  /** What is wrong in the file that was opened last. */
  async *read(source: Source, onRead: (bytes: number) => void): AsyncGenerator<Item[]> {
    const { format } = source
    if (!isMessageFormat(format)) throw new Error(`${source.name} holds no messages.`)
    if (this.#told.isFull) return
    const bytes = await readWhole(source, onRead)
    if (bytes === undefined) {
      const fault = `Is larger than ${mostMegabytes} MB, unpacked. Divide it into several files of whole messages.`
      return yield [{ line: this.#places.at(1), kind: 'event', fault }]
    }
    const linesBefore = this.#places.at(0)
    // A page that waits may be told of when another file is at hand, so that every line has its place now.
    this.#places.at(linesIn(bytes))
    for (const some of inBatches(messagesIn(bytes, format, this.#waiting, linesBefore))) {
      const faults = some.filter((one) => 'reason' in one)
      yield faults.flatMap((fault) => this.#faultUnlessLeftOut(fault))
      yield await this.#keep(some.filter((one) => 'isin' in one))
      if (this.#told.isFull) return
    }
  }

  /** The records, and messages of which pages are missing, now that no file comes any more. */
  async *end(): AsyncGenerator<Item[]> {
    if (this.#told.isFull) return
    yield this.#waiting.faults().map((fault) => ({ line: fault.line, kind: 'event', fault: sentenceOf(fault) }))
    for await (const some of this.#told.fold(this.#db))
      yield some.map(({ line, record }) => ({ line, value: { kind: 'event', ...record } }))
  }

  #fault(fault: MessageFault): Item {
    return { line: this.#places.at(fault.line), kind: 'event', fault: sentenceOf(fault) }
  }

  /** Instruments are found by nothing but the ISIN, so none that may have been refused would have helped. */
  #faultUnlessLeftOut(fault: MessageFault): Item[] {
    const { code, reason } = fault
    if (code === undefined) return [this.#fault(fault)]
    const { skipsUnknown, skipsOther } = this.#choice
    const [isLeftOut, option] = code === 'NoIsin' ? [skipsUnknown, '--skip-unknown'] : [skipsOther, '--skip-other']
    if (!isLeftOut) return [this.#fault({ ...fault, reason: `${reason} Leave such messages out with ${option}.` })]
    this.#left[code]++
    return []
  }

  /** Keeps what messages tell; returns their faults. */
  async #keep(messages: readonly Message[]): Promise<Item[]> {
    const listings = await findListings(this.#db, [...new Set(messages.map(({ isin }) => isin))])
    return messages.flatMap((message): Item[] => {
      if (this.#told.isFull) return []
      const line = this.#places.at(message.line)
      const found = listings.get(message.isin)
      if (!found) return this.#missing(message, line)
      this.#read++
      this.#told.add(message, found, line)
      return this.#told.isFull ? [{ line, kind: 'event', fault: tooMany }] : []
    })
  }

  #missing({ isin, number }: Message, line: number): Item[] {
    const { skipsUnknown, tellsUnknown } = this.#choice
    if (skipsUnknown) add(this.#skipped, isin)
    if (skipsUnknown || !tellsUnknown) return []
    const remedy = 'Import it too, or leave such messages out with --skip-unknown.'
    return [{ line, kind: 'event', fault: `Message ${number}: No instrument has the ISIN ${isin}. ${remedy}` }]
  }

  #countUsed(values: number, unmapped: readonly Unmapped[]): void {
    this.#used.messages++
    this.#used.values += values
    this.#used.unmapped += unmapped.length
    for (const { Path } of unmapped) add(this.#unmapped, Path.replaceAll(/\[\d+\]/g, ''))
  }

  /** What there is to say of the messages that became events, and of those that were left out. */
  notes(): string[] {
    const { older, followed } = this.#told
    const skipped = total(this.#skipped)
    const { NoIsin, OtherMessage } = this.#left
    return [
      ...(this.#read > 0 ? [this.#readNote()] : []),
      ...(followed > 0
        ? [`Of them ${counted(followed, 'record')} ${were(followed)} followed by later ones about the same event.`]
        : []),
      ...(older.size > 0
        ? [
            `Left out ${were(total(older))} ${counted(total(older), 'record')} of messages older than the one that the event came from: ${told(older)}.`,
          ]
        : []),
      ...(skipped > 0
        ? [
            `${skippedNote(skipped)}: no instrument has ${skipped === 1 ? 'its' : 'their'} ISIN: ${told(this.#skipped)}.`,
          ]
        : []),
      ...(NoIsin > 0 ? [`${skippedNote(NoIsin)}: the security is named by no ISIN.`] : []),
      ...(OtherMessage > 0 ? [`${skippedNote(OtherMessage)}: neither seev.031 nor MT564.`] : []),
    ]
  }

  #readNote(): string {
    const { messages, values, unmapped } = this.#used
    const read = `${counted(this.#read, 'message')} ${were(this.#read)} read`
    if (messages === 0) return `${read}.`
    const used = messages < this.#read ? `; ${counted(messages, 'message')} became events` : ''
    const said = `${read}${used}. Of ${messages === 1 ? 'its' : 'their'} ${counted(values, 'value')} ${unmapped}`
    const without = `${said} ${unmapped === 1 ? 'has' : 'have'} no member in an event`
    if (unmapped === 0) return `${without}.`
    return `${without}; ${unmapped === 1 ? 'it is' : 'they are'} kept as its Source: ${told(this.#unmapped)}.`
  }
}

const were = (count: number): string => (count === 1 ? 'was' : 'were')
const skippedNote = (count: number): string => `${counted(count, 'message')} ${were(count)} skipped`

const sentenceOf = ({ message, reason }: MessageFault): string =>
  message === undefined ? reason : `Message ${message}: ${reason}`

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
  const known = counts.size < mostPaths || counts.has(name) ? name : 'others'
  counts.set(known, (counts.get(known) ?? 0) + 1)
}

const total = (counts: ReadonlyMap<string, number>): number => counts.values().reduce((sum, count) => sum + count, 0)

/** The most frequent first. */
function told(counts: ReadonlyMap<string, number>): string {
  const all = [...counts].toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
  const shown = all.slice(0, mostTold).map(([name, count]) => (count > 1 ? `${name} (${count} times)` : name))
  return [...shown, ...(all.length > mostTold ? [`and ${all.length - mostTold} more`] : [])].join(', ')
}

async function readWhole(source: Source, onRead: (bytes: number) => void): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source.open(onRead)) {
    length += chunk.length
    if (length > mostMegabytes * 1024 * 1024) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
