import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import type { Shape } from '../../core/validation/shape.ts'
import { canonicalEvent } from '../../events/import/canonical.ts'
import { EventRecord } from '../../events/import/schema.ts'
import { readDemo } from './read.ts'

/** Adds the paths of the members that occur to `seen`, and the values of small enums. */
function occurring(shape: Shape, value: unknown, path: string, seen: Set<string>): void {
  seen.add(path)
  if (isSmallSet(shape)) seen.add(`${path}=${value}`)
  if (shape.items) for (const item of value as unknown[]) occurring(shape.items, item, path, seen)
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    const given = (value as Record<string, unknown>)[name]
    if (given !== undefined) occurring(member, given, `${path}.${name}`, seen)
  }
}

function declared(shape: Shape, path: string): string[] {
  const values = isSmallSet(shape) ? (shape.enum ?? []).map((value) => `${path}=${value}`) : []
  const members = Object.entries(shape.properties ?? {}).flatMap(([name, member]) =>
    declared(member, `${path}.${name}`),
  )
  return [path, ...values, ...members, ...(shape.items ? declared(shape.items, path) : [])]
}

const isSmallSet = ({ enum: values = [] }: Shape): boolean => values.length > 0 && values.length < 10

/** Shared by many members: it is enough if one of them has a status or is a percentage. */
const isShared = (path: string): boolean =>
  /\.(Status|Status=\w+|Type=\w+|Currency)$/.test(path) || /(MovementType|PriceType|Indicator|OptionStatus)=/.test(path)

const { events } = await readDemo(Temporal.PlainDate.from('2026-11-16'))
const { Source: _, ...members } = EventRecord.properties
const shape = Type.Object(members) as TSchema as Shape

test('every member of an event occurs, and every value of its closed sets', () => {
  const seen = new Set<string>()
  for (const record of events) {
    const { document, aside, updatedDateTime, holdings } = canonicalEvent(record)
    const UpdatedDateTime = updatedDateTime ?? undefined
    const Holdings = holdings.map(([AccountKey, elections]) => ({ AccountKey, ...elections }))
    occurring(shape, { ...document, ...aside, UpdatedDateTime, Holdings }, 'event', seen)
  }
  const all = declared(shape, 'event')
  assert.ok(all.length > 200, String(all.length))
  assert.deepEqual(
    all.filter((path) => !seen.has(path) && !isShared(path)),
    [],
  )
  const ends = (paths: Iterable<string>) => new Set([...paths].map((path) => path.replace(/^.*\./, '')))
  const seenEnds = ends(seen)
  assert.deepEqual(
    [...ends(all)].filter((end) => !seenEnds.has(end)),
    [],
  )
})
