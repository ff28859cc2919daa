import type { FastifyReply } from 'fastify'
import type { RedirectUriCheck } from '../../apps/api/extension-schema.ts'
import type { App, AppRedirect } from '../../apps/api/schema.ts'
import { type Html, html } from '../../http/html/html.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { bulletList, copyValue, emptyState, errorNotice, hiddenText, table } from '../shared/elements.ts'
import * as forms from '../shared/fields.ts'
import type { PageRouter } from '../shared/router.ts'
import { apiPath, appCrumbs, appPath, readListedApp, withAppErrors } from './app-data.ts'

export function appUriRoutes(router: PageRouter): void {
  router.get('/console/redirecturicheck', async (ctx) => {
    const check = await checkUri(ctx, ctx.query('Uri') ?? '', ctx.query('Flow') ?? '')
    return ctx.reply.headers(pageHeaders()).send(String(check ? uriCheckResult(check, ctx.query('Uri') ?? '') : ''))
  })
  const path = '/console/apps/:AppKey/redirecturis'
  for (const page of [`${path}/new`, `${path}/:RedirectUriId`]) {
    router.get(page, withAppErrors(showForm))
    router.post(page, withAppErrors(saveUri))
  }
  router.post(`${path}/:RedirectUriId/delete`, withAppErrors(deleteUri))
}

export async function checkUri(ctx: PageContext, Uri: string, Flow: string): Promise<RedirectUriCheck | undefined> {
  return Uri === '' ? undefined : ctx.api.get<RedirectUriCheck>('/x/v1/redirecturicheck', { Uri, Flow })
}

const urisTab = (appKey: string): string => `${appPath(appKey)}?tab=uris`

const uriPath = (ctx: PageContext): string =>
  `${apiPath(ctx.param('AppKey'))}/redirecturis/${encodeURIComponent(ctx.param('RedirectUriId'))}`

async function deleteUri(ctx: PageContext): Promise<FastifyReply> {
  await ctx.api.send('DELETE', uriPath(ctx))
  return ctx.redirect(`${urisTab(ctx.param('AppKey'))}&done=removed`)
}

const fieldNames = ['Uri', 'RedirectUriLabel', 'Description'] as const
type UriEntry = Readonly<Record<(typeof fieldNames)[number], string>>

function entryIn({ Uri = '', RedirectUriLabel = '', Description = '' }: Partial<UriEntry>): UriEntry {
  return { Uri, RedirectUriLabel, Description }
}

type FormState = Readonly<{ typed?: UriEntry; errors?: forms.FormErrors; uriCheck?: RedirectUriCheck | undefined }>

function currentUri(ctx: PageContext, app: App): AppRedirect | undefined {
  const id = ctx.param('RedirectUriId')
  const known = app.RedirectUris.find(({ RedirectUriId }) => String(RedirectUriId) === id)
  if (id !== '' && !known) throw new ApiError(404, 'This redirect URI no longer exists.')
  return known
}

async function showForm(ctx: PageContext, { typed, errors = forms.noErrors, uriCheck }: FormState = {}) {
  const app = await readListedApp(ctx)
  const known = currentUri(ctx, app)
  const entry = typed ?? entryIn(known ?? {})
  const action = `${appPath(app.AppKey)}/redirecturis/${known?.RedirectUriId ?? 'new'}`
  const form = { app, formToken: ctx.formToken, entry, errors, action, button: known ? 'Save' : 'Add' }
  return ctx.render({
    title: known ? 'Edit redirect URI' : 'Add a redirect URI',
    crumbs: appCrumbs(app),
    scripts: ['redirect-uri.js'],
    status: forms.statusFor(errors),
    body: html`<div class="card">${uriForm(form, uriCheck)}</div>${known && forms.confirmation('Remove', ...removalOf(app, action, ctx.formToken))}`,
  })
}

async function saveUri(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const app = await readListedApp(ctx)
  const typed = entryIn(Object.fromEntries(form))
  const { Uri, RedirectUriLabel, Description } = typed
  if (form.has('check')) return showForm(ctx, { typed, uriCheck: await checkUri(ctx, Uri, app.Flow) })
  const isNew = currentUri(ctx, app) === undefined
  const created = { Uri, ...(RedirectUriLabel && { RedirectUriLabel }), ...(Description && { Description }) }
  try {
    if (isNew) await ctx.api.send('POST', `${apiPath(app.AppKey)}/redirecturis`, created)
    else await ctx.api.send('PATCH', uriPath(ctx), typed)
  } catch (error) {
    return showForm(ctx, { typed, errors: forms.formErrorsFrom(error, fieldNames) })
  }
  return ctx.redirect(`${urisTab(app.AppKey)}&done=${isNew ? 'added' : 'saved'}`)
}

/** The origin is repeated only if the URI spells it in another way. */
export function uriCheckResult(check: RedirectUriCheck, uri: string): Html {
  const { IsAccepted, Refusals, Warnings, Origin = '', Unicode } = check
  if (!IsAccepted) return html`<div class="notice bad"><strong>Not accepted.</strong>${bulletList(Refusals)}</div>`
  return html`<div class="notice good"><strong>Accepted.</strong> Users are redirected to <code>${uri}</code>${!uri.startsWith(Origin) && html` at <code>${Origin}</code>`}${Unicode && html`, which reads <bdi>${Unicode}</bdi>`}.</div>
${Warnings.length > 0 && html`<div class="notice warn"><strong>Possible mistake:</strong>${bulletList(Warnings)}</div>`}`
}

/** A form without `flow` has a field for it, and the URI is optional. */
type UriFieldProps = forms.FieldMessages & Readonly<{ uriCheck: RedirectUriCheck | undefined; flow?: App['Flow'] }>

/** For browsers without script. It comes after the button of the form, because Enter presses the first one. */
export const checkButton = html`<button class="button plain" name="check" value="yes" formnovalidate data-check-button>Check the URI</button>`

/** public/redirect-uri.js checks while the user types. */
export function uriField(name: string, label: string, value: string, props: UriFieldProps): Html {
  const { hint, flow, errors, uriCheck } = props
  const result = errors ? { IsAccepted: false, Refusals: [...errors], Warnings: [] } : uriCheck
  return html`<div class="field uri"><label for="f-${name}">${label}</label>
<input id="f-${name}" name="${name}" value="${value}" class="num" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="https://app.example/callback" maxlength="2000" aria-describedby="h-${name} result-${name}" data-check="/console/redirecturicheck" data-result="result-${name}"${result?.IsAccepted === false && html` aria-invalid="true"`}${flow && html` data-flow="${flow}" required`}>
<p class="hint" id="h-${name}">${hint}</p><div class="app-uri-result" id="result-${name}" aria-live="polite">${result && uriCheckResult(result, value)}</div></div>`
}

const exactRule = 'An https URL, or http on localhost (port 80 if you omit it). Sign-ins must use exactly this URI.'
const rules: Record<App['Flow'], string> = {
  Code: exactRule,
  PKCE: 'An https URL, http on localhost (any port if you omit it), or a custom scheme such as com.example.app:/callback.',
  Implicit: exactRule,
}

type UriFormProps = Readonly<
  { app: App; formToken: Html; entry: UriEntry; errors: forms.FormErrors } & Record<'action' | 'button', string>
>

function uriForm({ app, formToken, entry, errors, action, button }: UriFormProps, uriCheck?: RedirectUriCheck): Html {
  const textField = (name: 'RedirectUriLabel' | 'Description', label: string) =>
    forms.inputField(name, label, entry[name], { errors: errors.fields[name], attributes: html` maxlength="1000"` })
  return html`<form class="stack app-entry" method="post" action="${action}">${formToken}
${errorNotice(errors.others)}
${uriField('Uri', 'URI', entry.Uri, { errors: errors.fields.Uri, uriCheck, hint: rules[app.Flow], flow: app.Flow })}
<div class="filters">${textField('RedirectUriLabel', 'Label (optional)')}
${textField('Description', 'Description (optional)')}</div>
<div class="row"><button class="button">${button}</button>${checkButton}</div></form>`
}

export function uriSection(app: App, formToken: Html): Html {
  const path = `/console/apps/${app.AppKey}/redirecturis`
  const isEmpty = app.RedirectUris.length === 0
  const form = { app, formToken, entry: entryIn({}), errors: forms.noErrors, action: `${path}/new`, button: 'Add' }
  return html`<section class="flow app-actions" id="redirect-uris"><h2 class="unseen">Redirect URIs</h2>
${isEmpty ? emptyState('Users cannot sign in yet.', 'The app has no redirect URI. Add one below; http://localhost:3000/callback is fine to start with.') : uriTable(app, path, formToken)}
<details class="card app-more"${isEmpty && html` open`}><summary>Add a redirect URI</summary>
${uriForm(form)}</details></section>`
}

function uriTable(app: App, path: string, formToken: Html): Html {
  const edit = ({ RedirectUriId: id, Uri }: AppRedirect) =>
    forms.rowMenu(
      Uri,
      html`<a href="${path}/${id}">Edit</a>${forms.askedAction(...removalOf(app, `${path}/${id}`, formToken))}`,
    )
  return table<AppRedirect>(
    'Redirect URIs',
    [
      ['URI', ({ Uri }) => copyValue(Uri, 'redirect URI'), 'name'],
      ['Label', (row) => html`<bdi class="app-cut">${row.RedirectUriLabel}</bdi>`],
      ['Description', (row) => html`<bdi class="app-cut">${row.Description}</bdi>`],
      [hiddenText('Actions'), edit, 'figure'],
    ],
    app.RedirectUris,
  )
}

/** What the removal of a redirect URI leads to, and its button. */
function removalOf({ RedirectUris }: App, action: string, formToken: Html): readonly [question: string, form: Html] {
  const question =
    RedirectUris.length === 1
      ? 'It is the last redirect URI: users cannot sign in until you add another one.'
      : 'Sign-ins that use it are rejected immediately.'
  return [question, forms.postButton(`${action}/delete`, formToken, 'Remove the URI', 'button danger')]
}
