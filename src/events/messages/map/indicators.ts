import type { Indicator } from '../../api/enums.ts'
import type { EventRecord } from '../../import/schema.ts'
import * as limits from '../limits.ts'
import { type MessageNode, textOf } from '../node.ts'
import { markMapped, type Paths, type Reader } from '../reader.ts'
import { narratives } from './tables.ts'

type IndicatorDetails = NonNullable<EventRecord['EventIndicators']>
const mostValues = 100

/** The codes of each indicator, in the order of the table, each once. */
export function readIndicators(
  reader: Reader,
  part: MessageNode,
  table: readonly (readonly [Indicator, ...Paths])[],
  before: IndicatorDetails = [],
): IndicatorDetails {
  const codes = new Map(before.map(({ Indicator, Values }) => [Indicator, new Set(Values.map(({ Code }) => Code))]))
  for (const [indicator, ...places] of table)
    for (const found of reader.nodesAt(part, places)) {
      const read = reader.forms.code(found)
      const known = codes.get(indicator) ?? new Set<string>()
      if (!read || known.size >= mostValues) continue
      codes.set(indicator, known.add(read.value))
      markMapped(read.from)
    }
  return [...codes].map(([Indicator, values]) => ({ Indicator, Values: [...values].map((Code) => ({ Code })) }))
}

/** All texts below a part, in the order of the table; those that would make it too long stay beside the event. */
export function readNarrative(reader: Reader, part: MessageNode, places: readonly Paths[]): string {
  const paragraphs = new Set<string>()
  let length = 0
  for (const [heading, element, qualifier] of narratives)
    for (const leaf of places.flatMap((place) => textsAt(reader, part, place, element, qualifier))) {
      const paragraph = heading === '' ? textOf(leaf) : `${heading}:\n${textOf(leaf)}`
      if (textOf(leaf) === '' || length + paragraph.length + 2 > limits.valueLength) continue
      if (!paragraphs.has(paragraph)) length += paragraph.length + 2
      paragraphs.add(paragraph)
      leaf.isMapped = true
    }
  return [...paragraphs].join('\n\n')
}

function textsAt(
  reader: Reader,
  part: MessageNode,
  [inXml, inFin]: Paths,
  element: string,
  qualifier: string,
): MessageNode[] {
  return [
    ...reader.nodesAt(part, [`${inXml}/${element}/AddtlInf`, `${inFin}70:${qualifier}`]),
    ...reader.nodesAt(part, [`${inXml}/${element}/URLAdr`, '']),
    ...reader.nodesAt(part, [`${inXml}/${element}`, '']),
  ]
}
