import { type Html, type HtmlValue, html } from '../../http/html/html.ts'
import { isApiError } from './api.ts'
import { hiddenText } from './elements.ts'

export type Choice = readonly [value: string, name: string]

export function selectField(name: string, label: string, choices: readonly Choice[], chosen: string | undefined): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${choices.map(
    ([value, text]) => html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`,
  )}</select></div>`
}

export function inputField(
  name: string,
  label: HtmlValue,
  value: string | undefined,
  more: { type?: string; attributes?: Html } & FieldMessages = {},
): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="${more.type ?? 'text'}" value="${value ?? ''}"${describedBy(name, more)}${more.attributes}>${fieldMessages(name, more)}</div>`
}

export function textArea(
  name: string,
  label: string,
  value: string,
  more: { attributes?: Html } & FieldMessages = {},
): Html {
  const size = more.attributes ?? html` rows="3" maxlength="1000"`
  return html`<div class="field"><label for="f-${name}">${label}</label><textarea id="f-${name}" name="${name}"${size}${describedBy(name, more)}>
${value}</textarea>${fieldMessages(name, more)}</div>`
}

/** `errorIn`: the id of an alert elsewhere that says what is wrong with the field. */
export type FieldMessages = Readonly<{
  errors?: readonly string[] | undefined
  errorIn?: string | false | undefined
  hint?: HtmlValue
}>

function fieldMessages(name: string, { errors = [], hint }: FieldMessages): Html {
  return html`${errors.length > 0 && html`<p class="field-error" id="e-${name}" role="alert">${errors.join(' ')}</p>`}${hint && html`<p class="hint" id="h-${name}">${hint}</p>`}`
}

function describedBy(name: string, { errors = [], errorIn, hint }: FieldMessages): Html {
  const ids = [errors.length > 0 && `e-${name}`, errorIn, hint && `h-${name}`].filter(Boolean).join(' ')
  return html`${(errors.length > 0 || errorIn) && html` aria-invalid="true"`}${ids && html` aria-describedby="${ids}"`}`
}

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

export const postButton = (action: string, fields: Html, label: string, kind = 'button'): Html =>
  html`<form method="post" action="${action}">${fields}<button class="${kind}">${label}</button></form>`

type SentValue = readonly [name: string, value: string] | readonly []

/** A form that looks like a link. `spoken` completes its label for screen readers. */
export function postLink(action: string, formToken: Html, label: string, spoken: string, sent: SentValue = []): Html {
  const [name, value] = sent
  return html`<form method="post" action="${action}">${formToken}<button class="link"${name && html` name="${name}" value="${value}"`}>${label}${hiddenText(` ${spoken}`)}</button></form>`
}

/** Opens to a question and its button, without script. */
export function confirmation(summary: string, question: HtmlValue, form: Html): Html {
  return html`<details class="confirm"><summary class="button plain">${summary}</summary><div class="card"><p>${question}</p>${form}</div></details>`
}

/** The actions of a row, behind one button. `of` names the row for screen readers. Opening one closes the others. */
export const rowMenu = (of: string, actions: Html): Html =>
  html`<details class="row-menu" name="row-menu"><summary class="button plain"><span aria-hidden="true">⋯</span>${hiddenText(`Actions for ${of}`)}</summary><div class="card">${actions}</div></details>`

/** What an action leads to, and its button: for a menu, which is itself a step before it. */
export const askedAction = (question: HtmlValue, form: Html): Html =>
  html`<div class="asked"><p class="small quiet">${question}</p>${form}</div>`

/** Errors by field, and errors of no field, which are shown above the form. */
export type FormErrors = Readonly<{ fields: Readonly<Record<string, readonly string[]>>; others: readonly string[] }>

export const noErrors: FormErrors = { fields: {}, others: [] }

/** The form errors of a rejected submission; `names` are the fields of the form. Any other error is rethrown. */
export function formErrorsFrom(error: unknown, names: readonly string[]): FormErrors {
  if (!isApiError(error, 400, 409)) throw error
  const { modelState } = error
  const fields = Object.fromEntries(names.flatMap((name) => (modelState[name] ? [[name, modelState[name]]] : [])))
  return { fields, others: error.messagesExcept(names) }
}

export const statusFor = (errors: FormErrors): number => (errors === noErrors ? 200 : 400)
