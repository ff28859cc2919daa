import { GrowableArray, reordered, sharedCopy, type TextArena } from '../arrays.ts'
import type { Slices } from '../segment.ts'

/** Adds strings to an arena and collects their slices. */
export class SliceCollector {
  readonly #arena: TextArena
  readonly #starts = new GrowableArray(Uint32Array)
  readonly #lengths = new GrowableArray(Uint32Array)
  readonly #known = new Map<string, { start: number; length: number }>()

  constructor(arena: TextArena) {
    this.#arena = arena
  }

  add(text: string): void {
    this.#push(this.#arena.add(text))
  }

  /** Stores equal strings only once. */
  addUnique(text: string): void {
    const slice = this.#known.get(text) ?? this.#arena.add(text)
    this.#known.set(text, slice)
    this.#push(slice)
  }

  #push({ start, length }: { start: number; length: number }): void {
    this.#starts.push(start)
    this.#lengths.push(length)
  }

  finish(order?: Uint32Array): Slices {
    const [starts, lengths] = [this.#starts.values, this.#lengths.values]
    if (!order) return { starts: sharedCopy(Uint32Array, starts), lengths: sharedCopy(Uint32Array, lengths) }
    return { starts: reordered(Uint32Array, starts, order), lengths: reordered(Uint32Array, lengths, order) }
  }
}
