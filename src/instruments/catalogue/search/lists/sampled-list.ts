import { lowerBound } from '../../arrays.ts'

const valuesPerSample = 64

/** Finds values in a long ascending list. A binary search reads places that are far apart; over a copy of every so many values it
 *  stays in the processor's cache, and reads the list itself in one place. */
export class SampledList {
  readonly #values: Uint32Array
  readonly #samples: Uint32Array

  constructor(values: Uint32Array) {
    this.#values = values
    this.#samples = new Uint32Array(Math.ceil(values.length / valuesPerSample))
    for (let index = 0; index < this.#samples.length; index++)
      this.#samples[index] = values[index * valuesPerSample] as number
  }

  /** Its index, or -1. */
  indexOf(value: number): number {
    const values = this.#values
    const sample = lowerBound(this.#samples, value)
    const to = Math.min(sample * valuesPerSample + 1, values.length)
    const index = lowerBound(values, value, Math.max(0, (sample - 1) * valuesPerSample), to)
    return index < values.length && values[index] === value ? index : -1
  }
}
