import type { App, AppRedirect } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { bulletList, emptyState, errorNotice, hiddenText, table } from '../../shared/elements.ts'
import { confirmation, inputField, postButton } from '../../shared/fields.ts'
import { type FormErrors, noErrors } from './form-errors.ts'

/** GET /x/v1/redirecturicheck */
export type UriCheck = Readonly<{
  IsAccepted: boolean
  Refusals: readonly string[]
  Warnings: readonly string[]
  Origin?: string
  Unicode?: string
}>

export function uriCheckResult({ IsAccepted, Refusals, Warnings, Origin, Unicode }: UriCheck): Html {
  if (!IsAccepted) return html`<div class="notice bad"><strong>Not accepted.</strong>${bulletList(Refusals)}</div>`
  return html`<div class="notice good"><strong>Accepted.</strong> Users are redirected to <code>${Origin}</code>${Unicode && html`, which reads <bdi>${Unicode}</bdi>`}.</div>
${Warnings.length > 0 && html`<div class="notice warn"><strong>Possible mistake:</strong>${bulletList(Warnings)}</div>`}`
}

type UriFieldProps = Readonly<{
  name: string
  label: string
  value: string
  errors: readonly string[] | undefined
  uriCheck: UriCheck | undefined
  isRequired: boolean
  hint: string
  /** If undefined, the form has a field for the flow. */
  flow?: App['Flow']
}>

/** public/redirect-uri.js checks while the user types; without script there is the Check button. */
export function uriField({ name, label, value, isRequired, hint, flow, errors, uriCheck }: UriFieldProps): Html {
  const result = errors ? { IsAccepted: false, Refusals: errors, Warnings: [] } : uriCheck
  return html`<div class="field uri"><label for="f-${name}">${label}</label>
<div class="app-uri-input"><input id="f-${name}" name="${name}" value="${value}" class="num" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="https://app.example/callback" maxlength="2000" aria-describedby="h-${name} result-${name}" data-check="/console/redirecturicheck" data-result="result-${name}"${result?.IsAccepted === false && html` aria-invalid="true"`}${flow && html` data-flow="${flow}"`}${isRequired && html` required`}>
<button class="button plain" name="check" value="yes" formnovalidate data-check-button>Check</button></div>
<p class="hint" id="h-${name}">${hint}</p><div class="app-uri-result" id="result-${name}" aria-live="polite">${result && uriCheckResult(result)}</div></div>`
}

const exactRule = 'An https URL, or http on localhost with a port. Sign-ins must use exactly this URI.'
const rules: Record<App['Flow'], string> = {
  Code: exactRule,
  PKCE: 'An https URL, http on localhost (any port if you omit it), or a custom scheme such as com.example.app:/callback.',
  Implicit: exactRule,
}

export type UriEntry = Readonly<{ Uri: string; RedirectUriLabel: string; Description: string }>
export const emptyUri: UriEntry = { Uri: '', RedirectUriLabel: '', Description: '' }

type UriFormProps = Readonly<{
  app: App
  formToken: Html
  entry: UriEntry
  errors: FormErrors
  uriCheck?: UriCheck | undefined
  action: string
  button: string
}>

export function uriForm({ app, formToken, entry, errors, uriCheck, action, button }: UriFormProps): Html {
  const textField = (name: 'RedirectUriLabel' | 'Description', label: string) =>
    inputField(name, label, entry[name], { errors: errors.fields[name], attributes: html` maxlength="1000"` })
  return html`<form class="stack app-entry" method="post" action="${action}">${formToken}
${errorNotice(errors.others)}
${uriField({ name: 'Uri', label: 'URI', value: entry.Uri, errors: errors.fields.Uri, uriCheck, isRequired: true, hint: rules[app.Flow], flow: app.Flow })}
<div class="filters">${textField('RedirectUriLabel', 'Label (optional)')}
${textField('Description', 'Description (optional)')}</div>
<div class="row"><button class="button">${button}</button></div></form>`
}

export function uriSection(app: App, formToken: Html): Html {
  const path = `/console/apps/${app.AppKey}/redirecturis`
  const isEmpty = app.RedirectUris.length === 0
  const form = { app, formToken, entry: emptyUri, errors: noErrors, action: `${path}/new`, button: 'Add' }
  return html`<section class="flow app-actions" id="redirect-uris"><h2>Redirect URIs</h2>
${isEmpty ? emptyState('Users cannot sign in yet.', 'The app has no redirect URI. Add one below; http://localhost:3000/callback is fine to start with.') : uriTable(app, path)}
<details class="card app-more"${isEmpty && html` open`}><summary>Add a redirect URI</summary>
${uriForm(form)}</details></section>`
}

function uriTable({ RedirectUris }: App, path: string): Html {
  return table<AppRedirect>(
    'Redirect URIs',
    [
      ['URI', ({ Uri }) => html`<span class="num">${Uri}</span>`, 'name'],
      ['Label', (row) => html`<bdi class="app-cut">${row.RedirectUriLabel}</bdi>`],
      ['Description', (row) => html`<bdi class="app-cut">${row.Description}</bdi>`],
      [
        hiddenText('Edit'),
        (row) => html`<a href="${path}/${row.RedirectUriId}">Edit${hiddenText(` ${row.Uri}`)}</a>`,
        'figure',
      ],
    ],
    RedirectUris,
  )
}

export function uriPage(props: UriFormProps & { isLast: boolean }): Html {
  const question = props.isLast
    ? 'It is the last redirect URI: users cannot sign in until you add another one.'
    : 'Sign-ins that use it are rejected immediately.'
  const button = postButton(`${props.action}/delete`, props.formToken, 'Yes, remove', { kind: 'button danger' })
  return html`<div class="card">${uriForm(props)}</div>
${confirmation('Remove', question, button)}`
}
