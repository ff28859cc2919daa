import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { emptyState, type Link, pageLinks, table, tag } from '../../shared/elements.ts'
import { inputField } from '../../shared/fields.ts'
import { type SecretUse, secretSummary, statusOf } from './model.ts'

export const appsPerPage = 10

type AppListProps = Readonly<{
  words: string
  total: number
  found: number
  skip: number
  rows: readonly Row[]
  now: Temporal.Instant
  demoKey: string | undefined
}>
type Row = Readonly<{ app: App; secrets: readonly SecretUse[] }>

export function matchingApps(apps: readonly App[], words: string): readonly App[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const text = ({ Name, AppKey, Description }: App) => `${Name} ${AppKey} ${Description}`.toLowerCase()
  return apps.filter((app) => wanted.every((word) => text(app).includes(word)))
}

export function appList(props: AppListProps): Html {
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
  html`<form class="filters app-search" role="search" action="/console/apps">${inputField('q', 'Search your apps', words, { type: 'search' })}<div><button class="button plain">Search</button></div></form>`

function appTable({ rows, now, demoKey }: AppListProps): Html {
  const nameCell = ({ app }: Row) =>
    html`<span class="app-name"><a href="/console/apps/${app.AppKey}"><bdi>${app.Name}</bdi></a> ${app.AppKey === demoKey && tag('demo app')}<br><span class="num quiet">${app.AppKey}</span></span>`
  const statusTag = ({ app }: Row) => {
    const { word, tone } = statusOf(app)
    return tag(word, tone)
  }
  const secretsCell = ({ app, secrets }: Row) => {
    const { word, tone } = secretSummary(app.Flow, secrets, now)
    return tone ? tag(word, tone) : html`<span class="quiet">${word}</span>`
  }
  return table<Row>(
    'Your apps',
    [
      ['App', nameCell, 'name'],
      ['Flow', ({ app }) => app.Flow],
      ['Status', statusTag],
      ['Access', ({ app }) => (app.IsTradingEnabled ? 'read and write' : 'read only')],
      ['Secrets', secretsCell],
      ['Redirect URIs', ({ app }) => app.RedirectUris.length || tag('none', 'warn'), 'figure'],
    ],
    rows,
  )
}

function paging({ words, found, skip, rows }: AppListProps): Html | undefined {
  const to = (start: number) => `/console/apps?${new URLSearchParams({ ...(words && { q: words }), skip: `${start}` })}`
  const next = skip + appsPerPage
  const text = html`<span class="small quiet">${skip + 1}–${skip + rows.length} of ${found}</span>`
  const newer = Math.max(skip - appsPerPage, 0)
  return pageLinks({ Newer: skip > 0 && to(newer), Older: next < found && to(next) }, { text })
}
