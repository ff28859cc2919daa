import type { App, AppRedirect } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { confirmed, emptyState, inputField, refusals, table } from '../../shared/elements.ts'
import { type Against, nothingAgainst } from './form-errors.ts'

/** What /x/v1/redirecturicheck says. */
export type Judgement = Readonly<{
  IsAccepted: boolean
  Refusals: readonly string[]
  Warnings: readonly string[]
  Origin?: string
  Unicode?: string
}>

/** The judgement in words; the same with script, as one types, and without. */
export function judgement({ IsAccepted, Refusals, Warnings, Origin, Unicode }: Judgement): Html {
  const list = (sentences: readonly string[]) => html`<ul>${sentences.map((one) => html`<li>${one}</li>`)}</ul>`
  if (!IsAccepted) return html`<div class="notice bad"><strong>Not accepted.</strong>${list(Refusals)}</div>`
  return html`<div class="notice good"><strong>Accepted.</strong> People are sent to <code>${Origin}</code>${Unicode && html`, which reads <bdi>${Unicode}</bdi>`}.</div>
${Warnings.length > 0 && html`<div class="notice warn"><strong>Likely a mistake?</strong>${list(Warnings)}</div>`}`
}

type UriFieldProps = Readonly<{
  name: string
  label: string
  value: string
  /** Why it was refused when it was sent. */
  against: readonly string[] | undefined
  /** What the rule says of it otherwise. */
  judged: Judgement | undefined
  isRequired: boolean
  hint: string
  /** Where it is known; else the form has a field for it. */
  flow?: App['Flow']
}>

/** public/redirect-uri.js asks while one types; without script there is the button. */
export function uriField({ name, label, value, isRequired, hint, flow, ...said }: UriFieldProps): Html {
  const told = said.against ? { IsAccepted: false, Refusals: said.against, Warnings: [] } : said.judged
  return html`<div class="field uri"><label for="f-${name}">${label}</label>
<div class="app-uri-input"><input id="f-${name}" name="${name}" value="${value}" class="num" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="https://app.example/callback" maxlength="2000" aria-describedby="h-${name} told-${name}" data-check="/console/redirecturicheck" data-told="told-${name}"${told?.IsAccepted === false && html` aria-invalid="true"`}${flow && html` data-flow="${flow}"`}${isRequired && html` required`}>
<button class="button plain" name="check" value="yes" formnovalidate data-check-button>Check</button></div>
<p class="hint" id="h-${name}">${hint}</p><div class="app-told" id="told-${name}" aria-live="polite">${told && judgement(told)}</div></div>`
}

const rule: Record<App['Flow'], string> = {
  Code: 'An https address, or http on localhost with a port. It is compared as it is, letter by letter.',
  PKCE: 'An https address, http on localhost (any port, if you name none), or a scheme of your own like com.example.app:/callback.',
  Implicit: 'An https address, or http on localhost with a port. It is compared as it is, letter by letter.',
}

export type UriEntry = Readonly<{ Uri: string; RedirectUriLabel: string; Description: string }>
export const noUri: UriEntry = { Uri: '', RedirectUriLabel: '', Description: '' }

type UriFormProps = Readonly<{
  app: App
  formToken: Html
  entry: UriEntry
  against: Against
  judged?: Judgement | undefined
  action: string
  button: string
}>

export function uriForm({ app, formToken, entry, against, judged, action, button }: UriFormProps): Html {
  return html`<form class="stack app-entry" method="post" action="${action}">${formToken}
${refusals(against.others)}
${uriField({ name: 'Uri', label: 'Address', value: entry.Uri, against: against.fields.Uri, judged, isRequired: true, hint: rule[app.Flow], flow: app.Flow })}
<div class="filters">${inputField('RedirectUriLabel', 'Label (optional)', entry.RedirectUriLabel, { against: against.fields.RedirectUriLabel, attributes: html` maxlength="1000"` })}
${inputField('Description', 'Description (optional)', entry.Description, { against: against.fields.Description, attributes: html` maxlength="1000"` })}</div>
<div class="row"><button class="button">${button}</button></div></form>`
}

/** The redirect URIs of an app, and a form for another. */
export function uriSection(app: App, formToken: Html): Html {
  const at = `/console/apps/${app.AppKey}/redirecturis`
  return html`<section class="flow app-deeds" id="redirect-uris"><h2>Redirect URIs</h2>
${
  app.RedirectUris.length === 0
    ? emptyState(
        'Nobody can sign in yet.',
        'The app has no address that sign-ins may return to. Add one below; http://localhost:3000/callback is fine for a start.',
      )
    : table(
        'Redirect URIs',
        [
          { head: 'Address', isRowHead: true, cell: (row: AppRedirect) => html`<span class="num">${row.Uri}</span>` },
          { head: 'Label', cell: (row) => html`<bdi class="app-cut">${row.RedirectUriLabel}</bdi>` },
          { head: 'Description', cell: (row) => html`<bdi class="app-cut">${row.Description}</bdi>` },
          {
            head: html`<span class="unseen">Change</span>`,
            isFigure: true,
            cell: (row) => html`<a href="${at}/${row.RedirectUriId}">Change<span class="unseen"> ${row.Uri}</span></a>`,
          },
        ],
        app.RedirectUris,
      )
}
<details class="card app-more"${app.RedirectUris.length === 0 && html` open`}><summary>Add a redirect URI</summary>
${uriForm({ app, formToken, entry: noUri, against: nothingAgainst, action: `${at}/new`, button: 'Add' })}</details></section>`
}

/** One redirect URI: changed, or removed after a second thought. */
export function uriPage(props: UriFormProps & { isLast: boolean }): Html {
  const question = props.isLast
    ? 'It is the last one: nobody can sign in to the app until it has another.'
    : 'Nobody is sent there any more. Sign-ins that ask for it are refused at once.'
  return html`<div class="card">${uriForm(props)}</div>
${confirmed('Remove it', question, html`<form method="post" action="${props.action}/delete">${props.formToken}<button class="button danger">Yes, remove it</button></form>`)}`
}
