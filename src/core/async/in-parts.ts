import { ownTurn } from './own-turn.ts'

/** The items in parts, between which other requests are served. A single part is not waited for. */
export async function* inParts<Item>(items: Iterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  let part: Item[] = []
  for (const item of items) {
    if (part.length === size) {
      yield part
      await ownTurn()
      part = []
    }
    part.push(item)
  }
  if (part.length > 0) yield part
}

/** Maps items in such parts. */
export async function mapInParts<Item, Result>(
  items: Iterable<Item>,
  size: number,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for await (const part of inParts(items, size)) for (const item of part) results.push(map(item))
  return results
}
