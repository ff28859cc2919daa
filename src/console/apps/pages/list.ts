import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { emptyState, inputField, table, tag } from '../../shared/elements.ts'
import { type SecretUse, secretsInBrief, statusOf } from './model.ts'

export const appsPerPage = 10

export type AppListProps = Readonly<{
  /** What was searched for. */
  words: string
  /** How many apps there are in all, and how many of them match. */
  total: number
  found: number
  skip: number
  rows: readonly Readonly<{ app: App; secrets: readonly SecretUse[] }>[]
  now: Temporal.Instant
  /** The app that the start page calls the demo app. */
  demoKey: string | undefined
}>

/** Apps whose name, key or description has all the words, in any case. */
export function matchingApps(apps: readonly App[], words: string): readonly App[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const text = ({ Name, AppKey, Description }: App) => `${Name} ${AppKey} ${Description}`.toLowerCase()
  return apps.filter((app) => wanted.every((word) => text(app).includes(word)))
}

export function appList(props: AppListProps): Html {
  const { words, total, found, rows } = props
  if (total === 0)
    return emptyState(
      'You have no app yet.',
      'An app is what signs people in and calls the API for them. Making one takes a minute: a name, a flow, and where sign-ins return to.',
      { href: '/console/apps/new', name: 'Create your first app' },
    )
  return html`${total > appsPerPage && searchForm(words)}
${
  found === 0
    ? emptyState(`No app matches “${words}”.`, 'Names, keys and descriptions are searched.', {
        href: '/console/apps',
        name: 'Show all apps',
      })
    : table('Apps of your client', columns(props), rows)
}
${found > appsPerPage && paging(props)}`
}

const searchForm = (words: string): Html =>
  html`<form class="filters app-search" role="search" action="/console/apps">${inputField('q', 'Search your apps', words, { type: 'search' })}<div><button class="button plain">Search</button></div></form>`

const columns = ({ now, demoKey }: AppListProps) => [
  {
    head: 'App',
    isRowHead: true,
    cell: ({ app }: AppListProps['rows'][number]) =>
      html`<span class="app-name"><a href="/console/apps/${app.AppKey}"><bdi>${app.Name}</bdi></a> ${app.AppKey === demoKey && tag('demo app')}<br><span class="num quiet">${app.AppKey}</span></span>`,
  },
  { head: 'Flow', cell: ({ app }: AppListProps['rows'][number]) => app.Flow },
  {
    head: 'Status',
    cell: ({ app }: AppListProps['rows'][number]) => {
      const { word, tone } = statusOf(app)
      return tag(word, tone)
    },
  },
  {
    head: 'Trading',
    cell: ({ app }: AppListProps['rows'][number]) => (app.IsTradingEnabled ? 'read and write' : 'read only'),
  },
  {
    head: 'Secrets',
    cell: ({ app, secrets }: AppListProps['rows'][number]) => {
      const { word, tone } = secretsInBrief(app.Flow, secrets, now)
      return tone ? tag(word, tone) : html`<span class="quiet">${word}</span>`
    },
  },
  {
    head: 'Redirect URIs',
    isFigure: true,
    cell: ({ app }: AppListProps['rows'][number]) => app.RedirectUris.length || tag('none', 'warn'),
  },
]

function paging({ words, found, skip, rows }: AppListProps): Html {
  const to = (start: number) => `/console/apps?${new URLSearchParams({ ...(words && { q: words }), skip: `${start}` })}`
  const next = skip + appsPerPage
  return html`<nav class="row between" aria-label="Pages"><span class="small quiet">${skip + 1} to ${skip + rows.length} of ${found}</span>
<span class="row">${skip > 0 && html`<a class="button plain" href="${to(Math.max(skip - appsPerPage, 0))}">Newer</a>`}${next < found && html`<a class="button plain" href="${to(next)}">Older</a>`}</span></nav>`
}
