import { hashOf } from '../../core/text.ts'

const sets = 1 << 14
/** Hashes of one set, the latest first. With one hash per set, two pairs that are requested in turn would always replace each other. */
const ways = 4

/** Which of the latest pairs were seen before, by a hash of 32 bits each: a wrong yes is rare and harmless. */
export class SeenOnce {
  readonly #hashes = new Int32Array(sets * ways)

  /** Whether the pair was seen before. */
  again(addressHash: number, view: string): boolean {
    const hash = hashOf(view, view.length, addressHash)
    const hashes = this.#hashes
    const start = (hash & (sets - 1)) * ways
    const end = start + ways
    for (let way = start; way < end; way++) if (hashes[way] === hash) return true
    hashes.copyWithin(start + 1, start, end - 1)
    hashes[start] = hash
    return false
  }
}
