import type { StagedFaults } from '../../database/staging/copy.ts'

export type Fault = Readonly<{ line: number; kind?: string; key?: string; field?: string; reason: string }>

const mostTold = 100
/** What a terminal would act on, or not show. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu
const escaped = (letter: string): string =>
  Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** A sentence in which everything can be seen. */
export const seen = (text: string): string => text.replaceAll(unseen, escaped)

/** A name out of a file: as it is where it is plain, else as JSON writes it. */
const named = (text: string): string => (text.search(unseen) < 0 ? text : seen(JSON.stringify(text)))

/** Where a line is: files are counted through, so that a number tells the file too. */
export class Places {
  readonly #starts: { name: string; start: number }[] = []
  #next = 0

  /** Begins the next file; its lines are counted from here. */
  open(name: string): void {
    this.#starts.push({ name, start: this.#next })
  }

  /** The number of the next line of the file at hand. */
  next(): number {
    return ++this.#next
  }

  /** The number of a line that is known by its place in the file at hand. */
  at(lineOfFile: number): number {
    const line = (this.#starts.at(-1)?.start ?? 0) + lineOfFile
    this.#next = Math.max(this.#next, line)
    return line
  }

  nameOf(line: number): string {
    const file = this.#starts.findLast(({ start }) => start < line) ?? this.#starts[0]
    return file ? `${file.name}:${line - file.start}` : `line ${line}`
  }
}

/** What is wrong, up to a hundred of it in full, in the order of lines. */
export class FaultList {
  readonly #places: Places
  #told: Fault[] = []
  #count = 0

  constructor(places: Places) {
    this.#places = places
  }

  get count(): number {
    return this.#count
  }

  /** More would only be counted. */
  get isFull(): boolean {
    return this.#told.length >= mostTold
  }

  add(fault: Fault): void {
    this.#count++
    if (this.#told.length < mostTold) this.#told.push(fault)
  }

  /** What one check over all records has found. */
  addStaged({ told, total }: StagedFaults): void {
    this.#count += total
    for (const { other, reason, ...fault } of told)
      this.#told.push({ ...fault, reason: reason.replace('{line}', other === null ? '' : this.#places.nameOf(other)) })
    this.#told = this.#told.toSorted((a, b) => a.line - b.line).slice(0, mostTold)
  }

  sentences(): string[] {
    const more = this.#count - this.#told.length
    const told = this.#told.toSorted((a, b) => a.line - b.line).map((fault) => this.#sentence(fault))
    return more > 0 ? [...told, `and ${more} more`] : told
  }

  #sentence({ line, kind, key, field, reason }: Fault): string {
    const what = [kind, key].flatMap((word) => (word === undefined || word === '' ? [] : [named(word)])).join(' ')
    const where = field === undefined || field === '' ? what : `${what && `${what}, `}field ${named(field)}`
    return `${seen(this.#places.nameOf(line))}${where && ` ${where}`}: ${seen(reason)}`
  }
}
