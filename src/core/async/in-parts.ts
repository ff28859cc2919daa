import { setImmediate } from 'node:timers/promises'

/** The items in parts, between which other requests are served. A single part is not waited for. */
export async function* inParts<Item>(items: Iterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  let part: Item[] = []
  for (const item of items) {
    if (part.length === size) {
      yield part
      await setImmediate()
      part = []
    }
    part.push(item)
  }
  if (part.length > 0) yield part
}
