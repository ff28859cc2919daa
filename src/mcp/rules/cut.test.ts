import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutJson, type Json, type Position, UnknownPosition } from './cut.ts'

/** All pieces of a document, in order. */
function piecesOf(document: Json, room: number): Json[] {
  const pieces: Json[] = []
  let from: Position | undefined = []
  while (from) {
    const { piece, next }: { piece: Json; next?: Position } = cutJson(document, room, from)
    pieces.push(piece)
    assert.ok(pieces.length < 10_000, 'every piece makes progress')
    from = next
  }
  return pieces
}

/** The rows of a document whose lists are nested: each has a number of its own. */
function rowsIn(document: Json): Json[] {
  if (Array.isArray(document)) return document.flatMap(rowsIn)
  if (document === null || typeof document !== 'object') return []
  const inner = Object.values(document).flatMap(rowsIn)
  return 'Row' in document ? [document.Row as Json, ...inner] : inner
}

const chain = (series: number, options: number): Json => ({
  AssetType: 'StockOption',
  OptionSpace: Array.from({ length: series }, (_, at) => ({
    Expiry: `2026-12-${at + 10}`,
    SpecificOptions: Array.from({ length: options }, (_, strike) => ({ Row: at * 1_000 + strike, Put: 'Call' })),
  })),
  CanTrade: true,
})

test('a document that fits is one piece', () => {
  const document = chain(2, 3)
  assert.deepEqual(cutJson(document, 10_000), { piece: document })
})

test('the pieces of a document have every row once, in order, and each fits', () => {
  for (const [series, options] of [
    [1, 300],
    [12, 1],
    [5, 40],
  ] as const) {
    const document = chain(series, options)
    const pieces = piecesOf(document, 1_000)
    assert.ok(pieces.length > 1 || series === 12)
    assert.deepEqual(pieces.flatMap(rowsIn), rowsIn(document))
    for (const piece of pieces) {
      assert.ok(JSON.stringify(piece).length < 1_200)
      const { AssetType, OptionSpace } = piece as { AssetType: string; OptionSpace: { Expiry?: string }[] }
      assert.equal(AssetType, 'StockOption')
      assert.ok(
        OptionSpace.every(({ Expiry }) => Expiry !== undefined),
        'every row has its series',
      )
    }
  }
})

test('the pieces of any document together are the document', () => {
  const { document } = fc.letrec<{ document: Json }>((tie) => ({
    document: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'binary', maxLength: 900 }),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('document'), { maxLength: 6 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), tie('document'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }))
  fc.assert(
    fc.property(document, fc.integer({ min: 50, max: 600 }), (any, room) => {
      let { piece: whole, next } = cutJson(any, room)
      for (let count = 0; next && count < 10_000; count++) {
        const part = cutJson(any, room, next)
        whole = appended(whole, part.piece, next)
        next = part.next
      }
      assert.equal(next, undefined)
      assert.deepEqual(whole, any)
    }),
  )
})

/** A document with one more piece, which starts at a position. */
function appended(before: Json | undefined, piece: Json, [at, ...inner]: Position): Json {
  if (at === undefined || before === undefined) return piece
  if (typeof before === 'string') return `${before}${piece}`
  if (Array.isArray(before)) {
    const [first, ...others] = piece as [Json, ...Json[]]
    const index = Number(at)
    return [...before.slice(0, index), appended(before[index], first, inner), ...others]
  }
  const [known, added] = [before as { [name: string]: Json }, piece as { [name: string]: Json }]
  return { ...known, ...added, [at]: appended(known[at], added[at] as Json, inner) }
}

test('a long text goes on where it was cut, and no character is cut in half', () => {
  const text = '😀'.repeat(1_001)
  for (const room of [300, 301]) {
    const pieces = piecesOf({ Id: 1, Narrative: text }, room) as { Id: number; Narrative: string }[]
    assert.ok(pieces.every(({ Id, Narrative }) => Id === 1 && Narrative.isWellFormed()))
    assert.equal(pieces.map(({ Narrative }) => Narrative).join(''), text)
  }
})

test('a long member that does not fit starts a piece of its own, unless half of the piece before would stay empty', () => {
  const list = (length: number) => Array.from({ length }, (_, at) => ({ Row: at }))
  const late = { Id: 7, First: list(50), Second: list(50) }
  assert.deepEqual(cutJson(late, 700), { piece: { Id: 7, First: late.First }, next: ['Second'] })
  assert.deepEqual(cutJson(late, 700, ['Second']), { piece: { Id: 7, Second: late.Second } })
  const early = { First: list(5), Second: list(100) }
  const { piece, next } = cutJson(early, 700)
  assert.deepEqual((piece as typeof early).First, early.First)
  assert.equal(next?.[0], 'Second')
  assert.ok(Number(next?.[1]) > 0)
  assert.deepEqual(cutJson([], 0), { piece: [] })
})

test('rejects a position that the document does not have', () => {
  const document = { Rows: Array.from({ length: 50 }, (_, Row) => ({ Row })), Text: 'x'.repeat(500), Count: 1 }
  for (const from of [
    ['Other'],
    ['Count'],
    ['__proto__'],
    [0],
    ['Rows', 50],
    ['Rows', -1],
    ['Rows', 0.5],
    ['Rows', 'x'],
    ['Rows', 1, 'Row'],
    ['Text', 500],
    ['Text', 1, 1],
  ])
    assert.throws(() => cutJson(document, 100, from), UnknownPosition, JSON.stringify(from))
  assert.throws(() => cutJson(null, 100, [1]), UnknownPosition)
  assert.deepEqual(cutJson(7, 0), { piece: 7 })
})
