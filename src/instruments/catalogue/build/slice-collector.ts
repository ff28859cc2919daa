import { GrowableArray, shareColumns, sharedCopy } from '../arrays.ts'
import type { Slices } from '../segment.ts'
import { JsonBuffer } from '../write/json-buffer.ts'

export class TextArena {
  readonly #buffer = new JsonBuffer()

  add(text: string): { start: number; length: number } {
    const start = this.#buffer.length
    return { start, length: this.#buffer.text(text).length - start }
  }

  share(): Uint8Array {
    return sharedCopy(Uint8Array, this.#buffer.finish())
  }
}

/** Adds strings to an arena and collects their slices. */
export class SliceCollector {
  readonly #arena: TextArena
  readonly #slices = { starts: new GrowableArray(Uint32Array), lengths: new GrowableArray(Uint32Array) }
  readonly #known = new Map<string, { start: number; length: number }>()

  constructor(arena: TextArena) {
    this.#arena = arena
  }

  add(text: string): void {
    this.#push(this.#arena.add(text))
  }

  addUnique(text: string): void {
    this.#push(this.#known.getOrInsertComputed(text, () => this.#arena.add(text)))
  }

  #push({ start, length }: { start: number; length: number }): void {
    this.#slices.starts.push(start)
    this.#slices.lengths.push(length)
  }

  finish(order?: Uint32Array): Slices {
    return shareColumns(this.#slices, order)
  }
}
