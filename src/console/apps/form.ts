import type { FastifyReply } from 'fastify'
import type { RedirectUriCheck } from '../../apps/api/extension-schema.ts'
import type { App, AppSecret } from '../../apps/api/schema.ts'
import { randomHex } from '../../core/crypto/keys.ts'
import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import type { PageContext } from '../shared/context.ts'
import { codeBlock, errorNotice } from '../shared/elements.ts'
import * as forms from '../shared/fields.ts'
import type { PageRouter } from '../shared/router.ts'
import { apiPath, appCrumbs, appPath, appsCrumb, ifMatch, readApp, withAppErrors } from './app-data.ts'
import { appObject } from './pages/model.ts'
import { newSecretCard } from './pages/secret-forms.ts'
import { checkButton, checkUri, uriField } from './redirect-uris.ts'
import { secretsBelow } from './secrets-below.ts'
import { rememberSubmit, submitOnce } from './submit-once.ts'

const emptyEntry: AppEntry = { Name: '', Description: '', Flow: 'Code', IsTradingEnabled: false, RedirectUri: '' }

export function appFormRoutes(router: PageRouter): void {
  router.get('/console/apps/new', (ctx) => showNewApp(ctx, emptyEntry))
  const createOnce = submitOnce(createApp, () => ['Back to your apps', '/console/apps'])
  router.post('/console/apps/new', createOnce)
  router.get('/console/apps/:AppKey/edit', withAppErrors(showEdit))
  router.post('/console/apps/:AppKey/edit', withAppErrors(editApp))
}

async function showNewApp(ctx: PageContext, entry: AppEntry, errors = forms.noErrors) {
  // Two apps may have equal fields: the random value distinguishes a second form from a repeated submission.
  const hidden = html`${ctx.formToken}${forms.hiddenField('once', randomHex())}`
  const uriCheck = await checkUri(ctx, entry.RedirectUri, entry.Flow)
  return ctx.render({
    title: 'Create an app',
    crumbs: [appsCrumb],
    scripts: ['redirect-uri.js'],
    status: forms.statusFor(errors),
    body: newAppForm(entry, { hidden, environment: ctx.deps.environment, errors }, uriCheck),
  })
}

function entryIn(form: URLSearchParams): AppEntry {
  const { Name = '', Description = '', Flow = '', RedirectUri = '' } = Object.fromEntries(form)
  return { Name, Description, Flow, RedirectUri, IsTradingEnabled: form.get('IsTradingEnabled') === 'true' }
}

async function createApp(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn(form)
  if (form.has('check')) return showNewApp(ctx, entry)
  const { RedirectUri, ...rest } = entry
  let app: App
  try {
    app = await ctx.api.send<App>('POST', '/developer/apps', { ...rest, ...(RedirectUri && { RedirectUri }) })
  } catch (error) {
    return showNewApp(ctx, entry, forms.formErrorsFrom(error, ['Name', 'Description', 'RedirectUri']))
  }
  rememberSubmit(ctx, form)
  const [secret] = app.Secrets ?? []
  return secret?.Secret === undefined
    ? ctx.redirect(`${appPath(app.AppKey)}?done=created`)
    : showCreated(ctx, app, secret)
}

/** Not a redirect, because the secret may be shown only once. */
async function showCreated(ctx: PageContext, app: App, secret: AppSecret): Promise<FastifyReply> {
  const secrets = await secretsBelow(ctx, app.AppKey)
  return ctx.render({
    title: `${app.Name} is ready`,
    crumbs: [appsCrumb],
    body: html`${newSecretCard(secret, ctx.zone, ctx.deps.secretsMode)}
<div class="card app-object"><h2>App object</h2><p class="small quiet">Settings in the format that client libraries for this API read, including the secret.</p>
${codeBlock(appObject(app, ctx.deps.baseUrl, secret.Secret), 'app object')}</div>
<p><a class="button plain" href="${appPath(app.AppKey)}">Go to the app</a></p>
${secrets}`,
  })
}

async function showEdit(ctx: PageContext, typed?: AppEdit, errors = forms.noErrors) {
  const { app, fields: hidden } = await readApp(ctx)
  return ctx.render({
    title: `Edit ${app.Name}`,
    crumbs: appCrumbs(app),
    status: forms.statusFor(errors),
    body: editAppForm(app, typed ?? editOf(app), { hidden, environment: ctx.deps.environment, errors }),
  })
}

/** Write access that awaits approval counts as requested. */
const editOf = ({ Name, Description, IsTradingEnabled, Status }: App): AppEdit => ({
  Name,
  Description,
  IsTradingEnabled: IsTradingEnabled || Status !== 'OK',
})

async function editApp(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const appKey = ctx.param('AppKey')
  const { Name, Description, IsTradingEnabled } = entryIn(form)
  const typed: AppEdit = { Name, Description, IsTradingEnabled }
  const before = editOf((await readApp(ctx)).app)
  // Sends changes only: repeating a request for write access could grant it.
  const changed = Object.entries(typed).filter(([name, value]) => value !== before[name as keyof AppEdit])
  try {
    await ctx.api.send('PATCH', apiPath(appKey), Object.fromEntries(changed), ifMatch(form))
  } catch (error) {
    return showEdit(ctx, typed, forms.formErrorsFrom(error, ['Name', 'Description']))
  }
  return ctx.redirect(`${appPath(appKey)}?done=saved`)
}

export const flows: readonly (readonly [App['Flow'], string, string])[] = [
  ['Code', 'Code with a secret', 'For apps with a server that can keep a secret.'],
  ['PKCE', 'PKCE, without a secret', 'For mobile, desktop and single-page apps, which cannot keep a secret.'],
  ['Implicit', 'Implicit', 'Only for legacy browser apps that cannot use PKCE: no secret, no refresh token.'],
]

type AppEntry = Readonly<
  Record<'Name' | 'Description' | 'Flow' | 'RedirectUri', string> & { IsTradingEnabled: boolean }
>

type FormProps = Readonly<{ hidden: Html; environment: Environment; errors: forms.FormErrors }>

const nameField = (value: string, { fields }: forms.FormErrors): Html =>
  forms.inputField('Name', 'Name', value, {
    errors: fields.Name,
    hint: "Shown to users when they sign in. Letters, digits, spaces and @ - [ ] ' ! . are allowed.",
    attributes: html` required maxlength="100" autocomplete="off"${value === '' && html` autofocus`}`,
  })

function tradingField(isOn: boolean, environment: Environment): Html {
  return html`<div class="app-tick"><input type="checkbox" id="f-IsTradingEnabled" name="IsTradingEnabled" value="true"${isOn && html` checked`} aria-describedby="h-IsTradingEnabled">
<div><label for="f-IsTradingEnabled">Write access</label><p class="hint" id="h-IsTradingEnabled">Allows the app to trade and to change data for its users. Without it the app can only read.${environment === 'live' && ' The operator has to approve it first.'}</p></div></div>`
}

function newAppForm(entry: AppEntry, props: FormProps, uriCheck: RedirectUriCheck | undefined): Html {
  const { fields, others } = props.errors
  return html`<form class="card stack app-entry" method="post" action="/console/apps/new">${props.hidden}
${errorNotice(others)}
${nameField(entry.Name, props.errors)}
${forms.textArea('Description', 'Description (optional)', entry.Description, { errors: fields.Description, hint: 'For you and your colleagues.' })}
<fieldset class="flow-choices"><legend>Sign-in flow</legend>${flows.map(
    ([flow, name, description]) =>
      html`<label class="flow-choice"><input type="radio" name="Flow" value="${flow}" required${flow === entry.Flow && html` checked`}>
<span><strong>${name}</strong><br><span class="small quiet">${description}</span></span></label>`,
  )}</fieldset>
${uriField('RedirectUri', 'Redirect URI (optional)', entry.RedirectUri, { errors: fields.RedirectUri, uriCheck, hint: 'Where users return after signing in. You can add it later, and add more.' })}
${tradingField(entry.IsTradingEnabled, props.environment)}
<div class="row"><button class="button">Create app</button>${checkButton}<a class="button plain" href="/console/apps">Cancel</a></div></form>`
}

type AppEdit = Pick<AppEntry, 'Name' | 'Description' | 'IsTradingEnabled'>

function editAppForm(app: App, entry: AppEdit, props: FormProps): Html {
  return html`<form class="card stack app-entry" method="post" action="/console/apps/${app.AppKey}/edit">${props.hidden}
${errorNotice(props.errors.others)}
${nameField(entry.Name, props.errors)}
${forms.textArea('Description', 'Description', entry.Description, { errors: props.errors.fields.Description })}
${tradingField(entry.IsTradingEnabled, props.environment)}
${app.IsTradingEnabled && html`<p class="small quiet">Removing write access ends the app’s sessions: all users have to sign in again.</p>`}
<div class="row"><button class="button">Save</button><a class="button plain" href="/console/apps/${app.AppKey}">Cancel</a></div></form>`
}
