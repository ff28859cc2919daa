import { httpDate, systemClock } from '../../core/clock.ts'

type Line = Readonly<{ name: string; value: string; text: string }>

/** Headers that differ in every response and cannot contain a line break: Content-Length is a number, and X-Correlation is made of a
 *  session and an app from a token that we signed, a request id that was checked or is random, and the random name of the node. */
const trustedNames = new Set(['x-correlation', 'content-length'])

/** Writes header lines. Most are the same as in the response before, so those are neither checked nor joined again. */
export class HeaderLines {
  readonly #lines: Line[] = []
  #second = 0
  #date = ''

  /** Names and values in turn. Throws an error if a value has a character that could end its line. */
  write(pairs: readonly string[]): string {
    const lines = this.#lines
    let text = ''
    for (let at = 0; at < pairs.length; at += 2) {
      const [name, value] = [pairs[at] as string, pairs[at + 1] as string]
      const known = lines[at]
      text += known && known.value === value && known.name === name ? known.text : this.#line(at, name, value)
    }
    return text
  }

  #line(at: number, name: string, value: string): string {
    if (!trustedNames.has(name) && !isSafe(value)) throw new Error(`The header ${name} has an invalid character.`)
    const text = `${name}: ${value}\r\n`
    this.#lines[at] = { name, value, text }
    return text
  }

  /** The header line that node:http adds to every response. */
  date(): string {
    const second = Math.floor(systemClock.nowMs() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#date = `Date: ${httpDate(second * 1_000)}\r\n`
    }
    return this.#date
  }
}

/** Whether no character could end its line. Values are short: this takes half the time of a regular expression. */
function isSafe(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code > 0xff || code === 0x7f || (code < 0x20 && code !== 0x09)) return false
  }
  return true
}
