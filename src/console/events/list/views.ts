import type { Event } from '../../../events/api/schema.ts'
import type { Html } from '../../../http/html/html.ts'
import { tabs } from '../../shared/elements.ts'
import { type Filters, hrefWith, parametersOf, scopeOnly } from './filters.ts'

export const listPath = '/console/events'

/** The same for every event of a page. */
const scopeQueries = new WeakMap<Filters, string>()

function scopeQuery(filters: Filters): string {
  const { AccountGroupKey: _, ...scope } = parametersOf(scopeOnly(filters))
  return hrefWith('', new Map(), scope)
}

export const eventHref = (event: Event, filters: Filters): string =>
  `${listPath}/${encodeURIComponent(event.EventId)}${scopeQueries.getOrInsertComputed(filters, scopeQuery)}`

const views = [
  ['list', 'List', listPath],
  ['month', 'Month', `${listPath}/month`],
  ['timeline', 'Timeline', `${listPath}/timeline`],
  ['standing', 'Standing instructions', `${listPath}/standing`],
  ['subscribe', 'Calendar feed', `${listPath}/subscribe`],
] as const

/** The views of corporate actions, beside the title of each. */
export function eventViews(current: (typeof views)[number][0], filters: Filters): Html {
  return tabs(
    'Views of corporate actions',
    views.map(([id, name, path]) => ({
      name,
      href: hrefWith(path, id === 'standing' ? new Map() : filters),
      current: id === current,
    })),
  )
}
