import { type Static, Type } from 'typebox'
import { matching, singleLine } from '../../core/schema.ts'
import { FieldErrors } from '../../core/validation/field-errors.ts'
import { makeValidator } from '../../core/validation/validator.ts'

export const scenarioLimits = {
  /** Of its text. */
  bytes: 1_048_576,
  /** After `Repeat`. */
  records: 10_000,
  /** Of all lines, each as often as it is repeated. */
  characters: 16 * 1_048_576,
  /** Scenarios that are loaded at the same time. */
  loaded: 50,
} as const

const sentence = (description: string) => Type.String({ ...singleLine(1, 500), description })

/** What describes a scenario: its name, a title and three sentences (§11.7). */
export const scenarioMembers = {
  Name: Type.String({
    ...matching('lower-case letters, digits and hyphens, up to 40', '^[a-z0-9][a-z0-9-]{0,39}$'),
    description: 'Identifies the scenario.',
  }),
  Title: Type.String({ ...singleLine(1, 100), description: 'The title.' }),
  Shows: sentence('What it shows.'),
  View: sentence('Whose view to take.'),
  LookAt: sentence('What to look at.'),
}
export type ScenarioHead = Readonly<Static<ReturnType<typeof headSchema>>>

export const headSchema = () =>
  Type.Object(
    { kind: Type.Unsafe<'scenario'>({ type: 'string', enum: ['scenario'] }), ...scenarioMembers },
    { additionalProperties: false },
  )
const validator = makeValidator(headSchema())

export type Line = Readonly<{ line: number; text: string }>
export type LineError = Readonly<{ line: number; kind?: string; field?: string; reason: string }>

const notFirst = 'The first line must be {"kind":"scenario"} with Name, Title, Shows, View and LookAt.'

/** Reads the text of a scenario: its first line describes it, each other line that is not empty is a record. */
export function readScenario(text: string): { head: ScenarioHead; lines: Line[] } | { errors: LineError[] } {
  const all = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((one, index): Line => ({ line: index + 1, text: one }))
  const [first, ...lines] = all.filter((one) => one.text.trim() !== '')
  const value = first && parse(first.text)
  if (value === undefined || (value as { kind?: unknown } | null)?.kind !== 'scenario')
    return { errors: [{ line: first?.line ?? 1, reason: notFirst }] }
  const errors = new FieldErrors()
  if (validator.check(value, errors)) return { head: value as ScenarioHead, lines }
  const { line } = first as Line
  return {
    errors: Object.entries(errors.modelState).map(([field, reasons]) => ({
      line,
      kind: 'scenario',
      field,
      reason: reasons.join(' '),
    })),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
