import { plural } from '../../../../core/text.ts'

export type PathPart = Readonly<{ name: string; key: string | undefined }>

/** The members that lead to a field, with the key of an element: `As[Stock].TickSize` (§9.5). */
export const partsOf = (path: string): PathPart[] =>
  [...path.matchAll(/([^.[]+)(?:\[(.*?)\])?(?:\.|$)/g)].map(([, name, key]) => ({ name: String(name), key }))

/** A field that differs. A text is undefined where there is no value, and null where it is too long for a sentence. */
export type FieldChange = Readonly<{
  /** The option that it belongs to, if any. */
  group: string | undefined
  label: string
  before: string | null | undefined
  after: string | null | undefined
  isTime: boolean
}>

/** `Ex date moved from 3 Dec to 5 Dec` */
function changeInWords(label: string, { before, after, isTime }: FieldChange): string {
  if (before === undefined) return after ? `${label} set to ${after}` : `${label} added`
  if (after === undefined) return before ? `${label} removed (was ${before})` : `${label} removed`
  if (before === null || after === null) return `${label} changed`
  return `${label} ${isTime ? 'moved' : 'changed'} from ${before} to ${after}`
}

/** Abbreviations keep their capitals. */
const withoutCapital = (text: string): string => text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

/** `Option 1: response deadline` */
export const labelWithin = (group: string | undefined, label: string): string =>
  group === undefined ? label : `${group}: ${withoutCapital(label)}`

/** What several options have in common is said once. */
function clausesOf(fields: readonly FieldChange[]): { text: string; count: number }[] {
  const alike = Map.groupBy(fields, (field) => changeInWords(field.label, field))
  return [...alike].flatMap(([text, [...same]]) =>
    same.length > 1 && same.every(({ group }) => group !== undefined)
      ? [{ text: `${text} for ${same.length} options`, count: same.length }]
      : same.map((field) => ({ text: changeInWords(labelWithin(field.group, field.label), field), count: 1 })),
  )
}

const maxSaid = 4

export type Version = Readonly<{
  change: 'Added' | 'Changed' | 'Removed'
  fields: readonly FieldChange[]
  /** How many fields differ besides. */
  moreFields: number
  reference: string | undefined
  source: string | undefined
}>

/** What a version changed, as one sentence: `Ex date moved from 3 Dec to 5 Dec, by message CA-118.` */
export function storyOf({ change, fields, moreFields, reference, source }: Version): string {
  const origin = reference === undefined ? source : `message ${reference}`
  const by = origin === undefined ? '' : ` by ${origin}`
  if (change !== 'Changed') return `${change}${by}.`
  const all = clausesOf(fields)
  const said = all.slice(0, maxSaid).map(({ text }) => text)
  const rest = all.slice(maxSaid).reduce((sum, { count }) => sum + count, moreFields)
  const clauses = rest === 0 ? said : [...said, `${plural(rest, 'more field')} changed`]
  const sentence = clauses.map((clause, index) => (index === 0 ? clause : withoutCapital(clause))).join('; ')
  return `${sentence}${by && `,${by}`}.`
}
