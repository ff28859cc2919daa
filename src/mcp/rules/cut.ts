export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Where a document goes on: names of members, indexes of lists, and within a text the number of characters. */
export type Position = readonly (string | number)[]

type Piece = Readonly<{ piece: Json; next?: Position }>

/** Members up to this length say what a piece belongs to, so every piece has them. */
const shortMember = 200
/** A text is never cut into smaller parts. */
const smallestText = 200

const isLong = (value: Json): boolean =>
  value !== null && (typeof value === 'object' || (typeof value === 'string' && value.length > shortMember))

const lengthOf = (value: Json): number => JSON.stringify(value).length

/** Thrown for a position that the document does not have: the data has changed, or the position was made up. */
export class UnknownPosition extends Error {}

/** A piece of a document that takes about `room` characters as JSON, from a position on, and where the next one starts. Lists
 *  and long texts are cut; rows of a list stay whole unless one alone is too long. The pieces together have everything. */
export function cutJson(document: Json, room: number, from: Position = []): Piece {
  if (from.length === 0 && lengthOf(document) <= room) return { piece: document }
  if (typeof document === 'string') return cutText(document, room, from)
  if (Array.isArray(document)) return cutList(document, room, from)
  if (document !== null && typeof document === 'object') return cutObject(document, room, from)
  if (from.length > 0) throw new UnknownPosition()
  return { piece: document }
}

function cutText(text: string, room: number, [start = 0, ...more]: Position): Piece {
  if (!isIndex(start, text.length) || more.length > 0) throw new UnknownPosition()
  let end = start + Math.max(room, smallestText)
  if (end >= text.length) return { piece: text.slice(start) }
  // Both halves of a character stay together.
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
  return { piece: text.slice(start, end), next: [end] }
}

function cutList(list: Json[], room: number, [start = 0, ...inner]: Position): Piece {
  if (!isIndex(start, list.length)) throw new UnknownPosition()
  const piece: Json[] = []
  let used = 2
  for (let at = start; at < list.length; at++) {
    const item = list[at] as Json
    const isFirst = at === start
    if (!isFirst && used + lengthOf(item) > room) return { piece, next: [at] }
    const part = cutJson(item, room - used, isFirst ? inner : [])
    piece.push(part.piece)
    if (part.next) return { piece, next: [at, ...part.next] }
    used += lengthOf(part.piece) + 1
  }
  return { piece }
}

function cutObject(object: { [name: string]: Json }, room: number, [start, ...inner]: Position): Piece {
  const names = Object.keys(object)
  const long = names.filter((name) => isLong(object[name] as Json))
  const first = start === undefined ? 0 : long.indexOf(String(start))
  if (first < 0) throw new UnknownPosition()
  const piece = Object.fromEntries(
    names.filter((name) => !long.includes(name)).map((name) => [name, object[name] as Json]),
  )
  let used = lengthOf(piece)
  for (const [at, name] of long.entries()) {
    if (at < first) continue
    const member = object[name] as Json
    const isFirst = at === first
    // One that does not fit starts a piece of its own, unless half of this one would stay empty.
    if (!isFirst && used + lengthOf(member) > room && used > room / 2) return { piece, next: [name] }
    const part = cutJson(member, room - used - name.length, isFirst ? inner : [])
    piece[name] = part.piece
    if (part.next) return { piece, next: [name, ...part.next] }
    used += lengthOf(part.piece) + name.length + 4
  }
  return { piece }
}

const isIndex = (value: string | number, length: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && (value < length || value === 0)
