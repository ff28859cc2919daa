import { type ApiError, isApiError } from '../../shared/api.ts'

/** Errors by field, and errors of no field, which are shown above the form. */
export type FormErrors = Readonly<{ fields: Readonly<Record<string, readonly string[]>>; others: readonly string[] }>

export const noErrors: FormErrors = { fields: {}, others: [] }

export function formErrorsIn({ modelState, message }: ApiError, names: readonly string[]): FormErrors {
  const errors = Object.entries(modelState)
  if (errors.length === 0) return { fields: {}, others: [message] }
  return {
    fields: Object.fromEntries(errors.filter(([field]) => names.includes(field))),
    others: errors
      .filter(([field]) => !names.includes(field))
      .flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`)),
  }
}

/** The form errors of a rejected submission. Any other error is rethrown. */
export function formErrorsFrom(error: unknown, names: readonly string[]): FormErrors {
  if (isApiError(error, 400, 409)) return formErrorsIn(error, names)
  throw error
}

export const statusFor = (errors: FormErrors): number => (errors === noErrors ? 200 : 400)
