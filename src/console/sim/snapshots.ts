import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { type Html, html } from '../../http/html/html.ts'
import type { SnapshotView } from '../../sim/api/snapshot-schema.ts'
import { ApiError, catchApiError, undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { emptyState, errorNotice, hiddenText, notice, table, tag } from '../shared/elements.ts'
import { hiddenField, inputField } from '../shared/fields.ts'
import { dayAndTime, figure } from '../shared/format.ts'
import type { PageRouter } from '../shared/router.ts'
import { clearSession, requestTokens, storeSession } from '../shared/session.ts'
import { pathOf } from './paths.ts'

type SnapshotRow = Static<typeof SnapshotView>
type Action = 'restore' | 'delete'

const snapshotsPath = pathOf('snapshots')

const doneMessages = new Map([
  ['saved', 'The snapshot was saved.'],
  ['restored', 'The snapshot was restored. You are still signed in.'],
  ['deleted', 'The snapshot was deleted.'],
])

export function snapshotRoutes(router: PageRouter): void {
  router.get(snapshotsPath, (ctx) => showSnapshots(ctx))
  router.post(snapshotsPath, orShowErrors(save))
  router.post(`${snapshotsPath}/restore`, orShowErrors(restore))
  router.post(`${snapshotsPath}/delete`, orShowErrors(remove))
}

type Handler = (ctx: PageContext, form: URLSearchParams) => Promise<FastifyReply>
type Rejected = Readonly<{ name: string; errors: readonly string[] }>

const nameIn = (form: URLSearchParams): string => (form.get('name') ?? '').trim()

function orShowErrors(handler: Handler): Handler {
  return (ctx, form) =>
    handler(ctx, form).catch((error: unknown) => {
      const { messages } = catchApiError(400, 404, 409)(error)
      return showSnapshots(ctx, { name: nameIn(form), errors: messages })
    })
}

const apiPath = (form: URLSearchParams): string => {
  const name = nameIn(form)
  if (name === '') throw new ApiError(400, 'Enter a name.')
  return `/x/v1/snapshots/${encodeURIComponent(name)}`
}

async function save(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  await ctx.api.send('PUT', apiPath(form))
  return ctx.redirect(`${snapshotsPath}?done=saved`)
}

async function restore(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const { IsSessionKept } = await ctx.api.send<{ IsSessionKept: boolean }>('POST', `${apiPath(form)}/restore`)
  if (IsSessionKept && (await continueSession(ctx))) return ctx.redirect(`${snapshotsPath}?done=restored`)
  clearSession(ctx)
  return ctx.redirect('/?done=restored')
}

/** Our access token may be newer than the snapshot, for example after a change of the clock; the refresh token need not be.
 *  Returns false if both are. */
async function continueSession(ctx: PageContext): Promise<boolean> {
  const { session } = ctx
  if (!session) return false
  const isValid = await ctx.api.get('/x/v1/clock').catch(undefinedIf(({ status }) => status === 401))
  if (isValid) return true
  const tokens = await requestTokens(ctx, { grant_type: 'refresh_token', refresh_token: session.refreshToken })
  if (tokens) storeSession(ctx, tokens, session)
  return tokens !== undefined
}

async function remove(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  await ctx.api.send('DELETE', apiPath(form))
  return ctx.redirect(`${snapshotsPath}?done=deleted`)
}

async function showSnapshots(ctx: PageContext, rejected?: Rejected): Promise<FastifyReply> {
  const { Data } = await ctx.api.get<{ Data: SnapshotRow[] }>('/x/v1/snapshots')
  const done = doneMessages.get(ctx.query('done') ?? '')
  const { formToken, zone } = ctx
  return ctx.render({
    title: 'Snapshots',
    status: rejected ? 400 : 200,
    body: html`<p class="lead">Save everything as it is now, and return to it as often as you like: data, apps, users, positions, elections, sessions and the clock.</p>
${done && notice('good', done)}
${question(ctx, Data)}
<section class="card flow"><h2>Save a snapshot</h2>
${errorNotice(rejected?.errors ?? [])}
<form method="post" action="${snapshotsPath}" class="filters">${formToken}
${inputField('name', 'Name', rejected?.name ?? '', { attributes: nameAttributes })}
<div><button class="button">Save snapshot</button></div></form>
<p class="hint">Letters, digits, dots, hyphens and underscores. Saving under an existing name replaces it.</p></section>
<section class="flow snapshots"><h2>Saved snapshots</h2>
${snapshotTable(Data, zone)}</section>`,
  })
}

const nameAttributes = html` required maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9._\-]*" title="Letters, digits, dots, hyphens and underscores" autocomplete="off" autocapitalize="none" spellcheck="false"`

const questions: Readonly<Record<Action, readonly [title: string, consequence: string]>> = {
  restore: [
    'Restore',
    'Everything that changed since it was saved is undone, for every user: data, apps, positions and elections. The clock goes back to the time of the snapshot. Sessions that began later end; if yours is one of them, you have to sign in again.',
  ],
  delete: ['Delete', 'It can no longer be restored. The data of the service stays as it is.'],
}

/** The confirmation of the action that a link of the table asks for. */
function question(ctx: PageContext, snapshots: readonly SnapshotRow[]): Html | undefined {
  const action: Action = ctx.query('restore') === undefined ? 'delete' : 'restore'
  const found = snapshots.find(({ Name }) => Name === ctx.query(action))
  if (!ctx.isSafe || !found || (action === 'restore' && !found.IsRestorable)) return undefined
  const [verb, consequence] = questions[action]
  return html`<section class="card flow"><h2>${verb} <bdi>${found.Name}</bdi>?</h2>
<p>${consequence}</p>
<form method="post" action="${snapshotsPath}/${action}" class="row">${ctx.formToken}${hiddenField('name', found.Name)}
<button class="button danger">Yes, ${action} ${found.Name}</button><a class="button plain" href="${snapshotsPath}">Cancel</a></form></section>`
}

function snapshotTable(snapshots: readonly SnapshotRow[], zone: string): Html {
  if (snapshots.length === 0) return emptyState('No snapshots.', 'Save one to return to the present state later.')
  const link = (action: Action, { Name }: SnapshotRow) =>
    html`<a href="${snapshotsPath}?${action}=${Name}">${questions[action][0]}${hiddenText(` ${Name}`)}</a>`
  const serviceTime = ({ Now, Frozen }: SnapshotRow) =>
    html`${dayAndTime(Now, zone)}${Frozen && html` ${tag('frozen', 'warn')}`}`
  return table<SnapshotRow>(
    `Saved snapshots, newest first. Times are in ${zone}.`,
    [
      ['Name', ({ Name }) => Name, 'name'],
      ['Saved', ({ SavedAt }) => dayAndTime(SavedAt, zone)],
      ['Service time', serviceTime],
      ['Size', ({ Bytes }) => `${figure(Math.round(Bytes / 100_000) / 10)} MB`, 'figure'],
      [
        hiddenText('Restore'),
        (row) => (row.IsRestorable ? link('restore', row) : tag('Saved by another version', 'warn')),
      ],
      [hiddenText('Delete'), (row) => link('delete', row)],
    ],
    snapshots.toReversed(),
  )
}
