import { hidden } from './rules/secrets.ts'

/** Whether the log kept a text as it was sent: nothing was replaced, and the end was not cut off. */
export const isWhole = (text: string): boolean => !text.includes(hidden) && !text.endsWith('…')
