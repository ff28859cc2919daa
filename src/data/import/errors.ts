import type { StagedErrors } from '../../database/staging/copy.ts'

export type ImportError = Readonly<{ line: number; kind?: string; key?: string; field?: string; reason: string }>

const maxListed = 100
/** Characters that a terminal interprets or does not show. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu
const escaped = (letter: string): string =>
  Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** Escapes invisible characters, so that the text is safe to print. */
export const printable = (text: string): string => text.replaceAll(invisible, escaped)

const maxNameLength = 200
const shortened = (text: string): string => (text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text)

/** A name from a file: verbatim if it is plain, else as JSON; only the beginning of a long one. */
function named(text: string): string {
  const short = shortened(text)
  return short.search(invisible) < 0 ? short : printable(JSON.stringify(short))
}

/** Numbers the lines of all files consecutively, so that one number identifies file and line. */
export class LineNumbers {
  readonly #starts: { name: string; start: number }[] = []
  #last = 0

  open(name: string): void {
    this.#starts.push({ name, start: this.#last })
  }

  next(): number {
    return ++this.#last
  }

  at(lineOfFile: number): number {
    const line = (this.#starts.at(-1)?.start ?? 0) + lineOfFile
    this.#last = Math.max(this.#last, line)
    return line
  }

  nameOf(line: number): string {
    const file = this.#starts.findLast(({ start }) => start < line) ?? this.#starts[0]
    return file ? `${file.name}:${line - file.start}` : `line ${line}`
  }
}

/** Collects the errors or warnings of a run: counts all of them and lists the first by line, a hundred if not said otherwise. */
export class ErrorList {
  readonly #lines: LineNumbers
  readonly #max: number
  #listed: ImportError[] = []
  count = 0

  constructor(lines: LineNumbers, max = maxListed) {
    this.#lines = lines
    this.#max = max
  }

  get isFull(): boolean {
    return this.#listed.length >= this.#max
  }

  add(error: ImportError): void {
    this.count++
    if (this.#listed.length < this.#max) this.#listed.push(error)
  }

  addStaged({ listed, total }: StagedErrors): void {
    this.count += total
    for (const { other, reason, ...error } of listed)
      this.#listed.push({ ...error, reason: reason.replace('{line}', other === null ? '' : this.#lines.nameOf(other)) })
    this.#listed = this.#listed.toSorted((a, b) => a.line - b.line).slice(0, this.#max)
  }

  sentences(): string[] {
    const more = this.count - this.#listed.length
    const sentences = this.#listed.toSorted((a, b) => a.line - b.line).map((error) => this.#sentence(error))
    return more > 0 ? [...sentences, `and ${more} more`] : sentences
  }

  #sentence({ line, kind, key, field, reason }: ImportError): string {
    const what = [kind, key].flatMap((word) => (word === undefined || word === '' ? [] : [named(word)])).join(' ')
    const where = field === undefined || field === '' ? what : `${what && `${what}, `}field ${named(field)}`
    return `${printable(this.#lines.nameOf(line))}${where && ` ${where}`}: ${printable(reason)}`
  }
}
