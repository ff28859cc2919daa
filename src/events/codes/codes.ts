import { eventTypes } from './event-types.ts'
import { optionTypes } from './option-types.ts'

export { indicatorTexts } from './indicators.ts'
export { payoutTexts } from './payouts.ts'
export { eventTypes, optionTypes }

/** What a code of ISO 15022/20022 is called. */
export type CodeText = Readonly<{ Name: string; Description: string }>
export type CodeTexts = Readonly<Record<string, CodeText>>

export type EventTypeCode = keyof typeof eventTypes
export type OptionTypeCode = keyof typeof optionTypes

/** Object.keys keeps the order of the lists, which is the contract's. */
export const eventTypeCodes = Object.keys(eventTypes) as readonly EventTypeCode[]
export const optionTypeCodes = Object.keys(optionTypes) as readonly OptionTypeCode[]

type Described = Readonly<{ Code: string; Name?: string; Description?: string }>

/** The code with the list's Name and Description where it brings none of its own; unchanged when the list lacks it. */
export function describeCode<T extends Described>(texts: CodeTexts, code: T): T & Partial<CodeText> {
  return { ...(Object.hasOwn(texts, code.Code) && texts[code.Code]), ...code }
}
