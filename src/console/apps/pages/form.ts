import type { App } from '../../../apps/api/schema.ts'
import type { Environment } from '../../../core/environment.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { errorNotice } from '../../shared/elements.ts'
import { hiddenField, inputField, textArea } from '../../shared/fields.ts'
import type { FormErrors } from './form-errors.ts'
import { type UriCheck, uriField } from './uris.ts'

export const flows: readonly (readonly [flow: App['Flow'], name: string, description: string])[] = [
  ['Code', 'Code with a secret', 'For apps with a server that can keep a secret.'],
  ['PKCE', 'PKCE, without a secret', 'For mobile, desktop and single-page apps, which cannot keep a secret.'],
  ['Implicit', 'Implicit', 'Only for legacy browser apps that cannot use PKCE: no secret, no refresh token.'],
]

export type AppEntry = Readonly<{
  Name: string
  Description: string
  Flow: string
  IsTradingEnabled: boolean
  RedirectUri: string
}>

type FormProps = Readonly<{ formToken: Html; environment: Environment; errors: FormErrors }>

const nameField = (value: string, { fields }: FormErrors): Html =>
  inputField('Name', 'Name', value, {
    errors: fields.Name,
    hint: "Shown to users when they sign in. Letters, digits, spaces and @ - [ ] ' ! . are allowed.",
    attributes: html` required maxlength="100" autocomplete="off"`,
  })

function tradingField(isOn: boolean, environment: Environment): Html {
  return html`<div class="app-tick"><input type="checkbox" id="f-IsTradingEnabled" name="IsTradingEnabled" value="true"${isOn && html` checked`} aria-describedby="h-IsTradingEnabled">
<div><label for="f-IsTradingEnabled">Write access</label><p class="hint" id="h-IsTradingEnabled">Allows the app to trade and to change data for its users. Without it the app can only read.${environment === 'live' && ' The operator has to approve it first.'}</p></div></div>`
}

/** `uriCheck` is the result of the Check button. */
export function newAppForm(entry: AppEntry, props: FormProps & { uriCheck?: UriCheck | undefined }): Html {
  const { fields, others } = props.errors
  return html`<form class="card stack app-entry" method="post" action="/console/apps/new">${props.formToken}
${errorNotice(others)}
${nameField(entry.Name, props.errors)}
${textArea('Description', 'Description', entry.Description, { errors: fields.Description, hint: 'For you and your colleagues.' })}
<fieldset class="flow-choices"><legend>Sign-in flow</legend>${flows.map(
    ([flow, name, description]) =>
      html`<label class="flow-choice"><input type="radio" name="Flow" value="${flow}" required${flow === entry.Flow && html` checked`}>
<span><strong>${name}</strong><br><span class="small quiet">${description}</span></span></label>`,
  )}</fieldset>
${uriField({ name: 'RedirectUri', label: 'Redirect URI', value: entry.RedirectUri, errors: fields.RedirectUri, uriCheck: props.uriCheck, isRequired: false, hint: 'Where users return after signing in. You can add it later, and add more.' })}
${tradingField(entry.IsTradingEnabled, props.environment)}
<div class="row"><button class="button">Create app</button><a class="button plain" href="/console/apps">Cancel</a></div></form>`
}

export type AppEdit = Pick<AppEntry, 'Name' | 'Description' | 'IsTradingEnabled'>

export function editAppForm(app: App, entry: AppEdit, tag: string, props: FormProps): Html {
  return html`<form class="card stack app-entry" method="post" action="/console/apps/${app.AppKey}/edit">${props.formToken}${hiddenField('tag', tag)}
${errorNotice(props.errors.others)}
${nameField(entry.Name, props.errors)}
${textArea('Description', 'Description', entry.Description, { errors: props.errors.fields.Description })}
${tradingField(entry.IsTradingEnabled, props.environment)}
${app.IsTradingEnabled && html`<p class="small quiet">Removing write access ends the app’s sessions: all users have to sign in again.</p>`}
<div class="row"><button class="button">Save</button><a class="button plain" href="/console/apps/${app.AppKey}">Cancel</a></div></form>`
}
