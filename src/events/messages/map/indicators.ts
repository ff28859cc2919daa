import type { Indicator } from '../../codes/indicators.ts'
import type { EventRecord } from '../../import/schema.ts'
import * as limits from '../limits.ts'
import { type MessageNode, textOf } from '../node.ts'
import { markMapped, type Paths, type Reader } from '../reader.ts'
import { narratives } from './tables.ts'

type IndicatorDetails = NonNullable<EventRecord['EventIndicators']>
const maxValues = 100

/** The unique codes of each indicator, in the order of the table. */
export function readIndicators(
  reader: Reader,
  node: MessageNode,
  list: 'EventIndicators' | 'OptionIndicators',
  table: readonly (readonly [Indicator, ...Paths])[],
  before: IndicatorDetails = [],
): IndicatorDetails {
  const codes = new Map(before.map(({ Indicator, Values }) => [Indicator, new Set(Values.map(({ Code }) => Code))]))
  for (const [indicator, ...paths] of table)
    for (const { value, from } of reader.valuesAt(node, 'code', paths)) {
      const known = codes.getOrInsert(indicator, new Set())
      if (known.size >= maxValues) break
      known.add(value)
      markMapped(from, `${list}.${indicator}`)
    }
  return [...codes].map(([Indicator, values]) => ({ Indicator, Values: [...values].map((Code) => ({ Code })) }))
}

/** All texts below a node, in the order of the table. Texts beyond the maximum length stay unmapped. */
export function readNarrative(reader: Reader, node: MessageNode, paths: readonly Paths[]): string {
  const paragraphs = new Set<string>()
  let length = 0
  for (const [heading, element, qualifier] of narratives)
    for (const leaf of reader.nodesAt(node, ...paths.flatMap((each) => textPaths(each, element, qualifier)))) {
      const paragraph = heading === '' ? textOf(leaf) : `${heading}:\n${textOf(leaf)}`
      if (textOf(leaf) === '' || length + paragraph.length + 2 > limits.valueLength) continue
      if (!paragraphs.has(paragraph)) length += paragraph.length + 2
      paragraphs.add(paragraph)
      leaf.mappedTo = 'Narrative'
    }
  return [...paragraphs].join('\n\n')
}

const textPaths = ([xml, fin]: Paths, element: string, qualifier: string): Paths[] => [
  [`${xml}/${element}/AddtlInf`, `${fin}70:${qualifier}`],
  [`${xml}/${element}/URLAdr`, ''],
  [`${xml}/${element}`, ''],
]
