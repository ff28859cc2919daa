import { eventTypes } from './event-types.ts'
import { optionTypes } from './option-types.ts'

export { type CodeTexts, describeCode } from './code-text.ts'
export { indicatorTexts } from './indicators.ts'
export { payoutTexts } from './payouts.ts'
export { eventTypes, optionTypes }

export type EventTypeCode = keyof typeof eventTypes
export type OptionTypeCode = keyof typeof optionTypes

/** Object.keys keeps the order of the lists, which is the contract's. */
export const eventTypeCodes = Object.keys(eventTypes) as readonly EventTypeCode[]
export const optionTypeCodes = Object.keys(optionTypes) as readonly OptionTypeCode[]
