import type { App } from '../../../apps/api/schema.ts'
import type { Environment } from '../../../core/environment.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { described, type FieldWords, fieldWords, inputField, refusals } from '../../shared/elements.ts'
import type { Against } from './form-errors.ts'
import { type Judgement, uriField } from './uris.ts'

/** When to choose which; one sentence each. */
export const flows: readonly (readonly [flow: App['Flow'], name: string, sentence: string])[] = [
  ['Code', 'Code with a secret', 'For an app with a server of its own, which can keep a secret.'],
  [
    'PKCE',
    'PKCE, without a secret',
    'For what runs where its user can look inside: mobile, desktop, single-page apps.',
  ],
  ['Implicit', 'Implicit', 'Only for old browser apps that cannot do PKCE: no secret, no refresh.'],
]

export type AppEntry = Readonly<{
  Name: string
  Description: string
  Flow: string
  IsTradingEnabled: boolean
  RedirectUri: string
}>

type FormProps = Readonly<{
  formToken: Html
  environment: Environment
  against: Against
}>

function textArea(name: string, label: string, value: string, words: FieldWords): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><textarea id="f-${name}" name="${name}" rows="3" maxlength="1000"${described(name, words)}>
${value}</textarea>${fieldWords(name, words)}</div>`
}

const nameField = (value: string, { fields }: Against): Html =>
  inputField('Name', 'Name', value, {
    against: fields.Name,
    hint: "People see it when they sign in. Letters, digits, spaces and @ - [ ] ' ! . characters.",
    attributes: html` required maxlength="100" autocomplete="off"`,
  })

function tradingField(isOn: boolean, environment: Environment): Html {
  const live = ' Whoever runs this service must approve it first; until then the app reads.'
  return html`<div class="app-tick"><input type="checkbox" id="f-IsTradingEnabled" name="IsTradingEnabled" value="true"${isOn && html` checked`} aria-describedby="h-IsTradingEnabled">
<div><label for="f-IsTradingEnabled">The app may write too</label><p class="hint" id="h-IsTradingEnabled">Trading: its tokens may change things for the people who sign in. Without it they only read.${environment === 'live' && live}</p></div></div>`
}

/** A new app. `judged` is what the service says of the address, where that was asked for. */
export function newAppForm(entry: AppEntry, props: FormProps & { judged?: Judgement | undefined }): Html {
  const { fields, others } = props.against
  return html`<form class="card stack app-entry" method="post" action="/console/apps/new">${props.formToken}
${refusals(others)}
${nameField(entry.Name, props.against)}
${textArea('Description', 'Description', entry.Description, { against: fields.Description, hint: 'For you and your colleagues.' })}
<fieldset class="flow-choices"><legend>How it signs people in</legend>${flows.map(
    ([
      flow,
      name,
      sentence,
    ]) => html`<label class="flow-choice"><input type="radio" name="Flow" value="${flow}" required${flow === entry.Flow && html` checked`}>
<span><strong>${name}</strong><br><span class="small quiet">${sentence}</span></span></label>`,
  )}</fieldset>
${uriField({ name: 'RedirectUri', label: 'Redirect URI', value: entry.RedirectUri, against: fields.RedirectUri, judged: props.judged, isRequired: false, hint: 'Where sign-ins return to. You can add it later, and more of them.' })}
${tradingField(entry.IsTradingEnabled, props.environment)}
<div class="row"><button class="button">Create the app</button><a class="button plain" href="/console/apps">Cancel</a></div></form>`
}

export type AppEdit = Pick<AppEntry, 'Name' | 'Description' | 'IsTradingEnabled'>

export function editAppForm(app: App, entry: AppEdit, tag: string, props: FormProps): Html {
  return html`<form class="card stack app-entry" method="post" action="/console/apps/${app.AppKey}/edit">${props.formToken}<input type="hidden" name="tag" value="${tag}">
${refusals(props.against.others)}
${nameField(entry.Name, props.against)}
${textArea('Description', 'Description', entry.Description, { against: props.against.fields.Description })}
${tradingField(entry.IsTradingEnabled, props.environment)}
${app.IsTradingEnabled && html`<p class="small quiet">Giving writing up ends the sessions of the app: everybody signs in again.</p>`}
<div class="row"><button class="button">Save</button><a class="button plain" href="/console/apps/${app.AppKey}">Cancel</a></div></form>`
}
