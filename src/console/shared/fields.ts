import { type Html, type HtmlValue, html } from '../../http/html/html.ts'

export type Choice = readonly [value: string, name: string]

export function selectField(name: string, label: string, choices: readonly Choice[], chosen: string | undefined): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${choices.map(
    ([value, text]) => html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`,
  )}</select></div>`
}

export function inputField(
  name: string,
  label: string,
  value: string | undefined,
  more: { type?: string; attributes?: Html } & FieldMessages = {},
): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="${more.type ?? 'text'}" value="${value ?? ''}"${describedBy(name, more)}${more.attributes}>${fieldMessages(name, more)}</div>`
}

export function textArea(name: string, label: string, value: string, messages: FieldMessages): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><textarea id="f-${name}" name="${name}" rows="3" maxlength="1000"${describedBy(name, messages)}>
${value}</textarea>${fieldMessages(name, messages)}</div>`
}

export type FieldMessages = Readonly<{ errors?: readonly string[] | undefined; hint?: HtmlValue }>

function fieldMessages(name: string, { errors = [], hint }: FieldMessages): Html {
  return html`${errors.length > 0 && html`<p class="field-error" id="e-${name}" role="alert">${errors.join(' ')}</p>`}${hint && html`<p class="hint" id="h-${name}">${hint}</p>`}`
}

function describedBy(name: string, { errors = [], hint }: FieldMessages): Html {
  const ids = [errors.length > 0 && `e-${name}`, hint && `h-${name}`].filter(Boolean).join(' ')
  return html`${errors.length > 0 && html` aria-invalid="true"`}${ids && html` aria-describedby="${ids}"`}`
}

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** A form that is one button. `spoken` completes its label for screen readers. */
export function postButton(
  action: string,
  hiddenFields: HtmlValue,
  label: string,
  more: { kind?: 'link' | 'button' | 'button danger'; name?: string; value?: string; spoken?: string } = {},
): Html {
  const { kind = 'button', name, value, spoken } = more
  return html`<form method="post" action="${action}">${hiddenFields}<button class="${kind}"${name && html` name="${name}" value="${value}"`}>${label}${spoken && html`<span class="unseen"> ${spoken}</span>`}</button></form>`
}

/** Opens to a question and its button, without script. */
export function confirmation(summary: string, question: HtmlValue, form: Html): Html {
  return html`<details class="confirm"><summary class="button plain">${summary}</summary><div class="card"><p>${question}</p>${form}</div></details>`
}
