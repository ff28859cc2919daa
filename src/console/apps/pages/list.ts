import type { FastifyReply } from 'fastify'
import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { copyValue, emptyState, hiddenText, type Link, pageLinks, table, tag } from '../../shared/elements.ts'
import { inputField, rowMenu } from '../../shared/fields.ts'
import { readApps, readSecretUses } from '../app-data.ts'
import { secretSummary, statusOf } from './model.ts'

const appsPerPage = 10

export async function showApps(ctx: PageContext): Promise<FastifyReply> {
  const list = await readList(ctx)
  const aside = list.total > 0 ? html`<a class="button" href="/console/apps/new">Create an app</a>` : undefined
  return ctx.render({ title: 'Apps', aside, body: appList(list) })
}

type AppList = Awaited<ReturnType<typeof readList>>
type Row = AppList['rows'][number]

async function readList(ctx: PageContext) {
  const words = ctx.query('q') ?? ''
  const all = await readApps(ctx)
  const found = matchingApps(all, words)
  const skip = Math.min(Number(/^\d{1,4}$/.exec(ctx.query('skip') ?? '')?.[0] ?? 0), Math.max(found.length - 1, 0))
  const readRow = async (app: App) => {
    return { app, secrets: app.Flow === 'Code' ? await readSecretUses(ctx, app.AppKey) : [] }
  }
  const rows = await Promise.all(found.slice(skip, skip + appsPerPage).map(readRow))
  const { demo, hasRequestLog } = ctx.deps
  const counts = { total: all.length, found: found.length }
  return { ...counts, words, skip, rows, now: ctx.now, demoKey: demo?.appKey, hasRequestLog }
}

export function matchingApps(apps: readonly App[], words: string): readonly App[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const text = ({ Name, AppKey, Description }: App) => `${Name} ${AppKey} ${Description}`.toLowerCase()
  return apps.filter((app) => wanted.every((word) => text(app).includes(word)))
}

function appList(props: AppList): Html {
  const { words, total, found } = props
  if (total === 0)
    return emptyState(
      'You have no apps yet.',
      'An app signs users in and calls the API on their behalf. Creating one takes a minute: a name, a flow and a redirect URI.',
      ['Create your first app', '/console/apps/new'],
    )
  const showAll: Link = ['Show all apps', '/console/apps']
  return html`${total > appsPerPage && searchForm(words)}
${found === 0 ? emptyState(`No app matches “${words}”.`, 'Names, keys and descriptions are searched.', showAll) : appTable(props)}
${found > appsPerPage && paging(props)}`
}

const searchForm = (words: string): Html =>
  html`<form class="toolbar" role="search" aria-label="Apps" action="/console/apps">${inputField('q', 'Search your apps', words, { type: 'search', attributes: html` placeholder="Name, key or description"` })}<button class="button plain">Search</button></form>`

function appTable({ rows, now, demoKey, hasRequestLog }: AppList): Html {
  const nameCell = ({ app }: Row) =>
    html`<span class="app-name"><a href="/console/apps/${app.AppKey}"><bdi>${app.Name}</bdi></a> ${app.AppKey === demoKey && tag('demo app')}<br><span class="quiet">${copyValue(app.AppKey, 'app key')}</span></span>`
  const statusTag = ({ app }: Row) => {
    const { word, tone } = statusOf(app)
    return tag(word, tone)
  }
  const secretsCell = ({ app, secrets }: Row) => {
    if (!app.IsActive) return html`<span class="quiet">app inactive</span>`
    const { word, tone } = secretSummary(app.Flow, secrets, now)
    return tone ? tag(word, tone) : html`<span class="quiet">${word}</span>`
  }
  const menuCell = ({ app }: Row) => {
    const path = `/console/apps/${app.AppKey}`
    const links = [
      app.IsActive && (['Edit', `${path}/edit`] as const),
      ['Redirect URIs', `${path}?tab=uris`] as const,
      ['Connect', `${path}?tab=connect`] as const,
      ['Activity', `${path}/audit`] as const,
      hasRequestLog && (['Requests', `/console/requests?AppKey=${app.AppKey}`] as const),
    ]
    return rowMenu(app.Name, html`${links.map((link) => link && html`<a href="${link[1]}">${link[0]}</a>`)}`)
  }
  return html`<div class="app-actions app-list">${table<Row>(
    'Your apps',
    [
      ['App', nameCell, 'name'],
      ['Flow', ({ app }) => app.Flow],
      ['Status', statusTag],
      ['Access', ({ app }) => (app.IsTradingEnabled ? 'read and write' : 'read only')],
      ['Secrets', secretsCell],
      ['Redirect URIs', ({ app }) => app.RedirectUris.length || tag('none', 'warn'), 'figure'],
      [hiddenText('Actions'), menuCell, 'figure'],
    ],
    rows,
  )}</div>`
}

function paging({ words, found, skip, rows }: AppList): Html | undefined {
  const to = (start: number) => `/console/apps?${new URLSearchParams({ ...(words && { q: words }), skip: `${start}` })}`
  const next = skip + appsPerPage
  const text = html`<span class="small quiet">${skip + 1}–${skip + rows.length} of ${found}</span>`
  const newer = Math.max(skip - appsPerPage, 0)
  return pageLinks({ Newer: skip > 0 && to(newer), Older: next < found && to(next) }, { text })
}
