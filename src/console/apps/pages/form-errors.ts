import type { ApiRefusal } from '../../shared/api.ts'

/** What was said against an entry: at the field that it is about, or above the form where it is about none of them. */
export type Against = Readonly<{ fields: Readonly<Record<string, readonly string[]>>; others: readonly string[] }>

export const nothingAgainst: Against = { fields: {}, others: [] }

/** `names` are the fields that the form has. */
export function againstIn({ modelState, message }: ApiRefusal, names: readonly string[]): Against {
  const said = Object.entries(modelState)
  if (said.length === 0) return { fields: {}, others: [message] }
  return {
    fields: Object.fromEntries(said.filter(([field]) => names.includes(field))),
    others: said
      .filter(([field]) => !names.includes(field))
      .flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`)),
  }
}
