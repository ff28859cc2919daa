import { menuPages } from '../shared/chrome/menu.ts'
import type { ConsoleDependencies } from '../shared/dependencies.ts'

/** A row of the command palette: a link, or a form that is sent with the form token of the page. */
export type PaletteItem = Readonly<{ name: string; note?: string | undefined }> &
  (Readonly<{ href: string }> | Readonly<{ post: string; fields?: Readonly<Record<string, string>> }>)

type Deps = Pick<ConsoleDependencies, 'environment' | 'hasRequestLog' | 'demo' | 'travel'>

/** The pages of the menu, and those that people look for by name. */
export function pagesOf(deps: Deps, isOperator: boolean): PaletteItem[] {
  const menu = menuPages({ ...deps, isOperator }).map(({ name, href }) => ({ name, href }))
  return [
    ...menu,
    { name: 'Decisions', note: 'Corporate actions', href: '/console/events' },
    { name: 'Month', note: 'Corporate actions', href: '/console/events/month' },
    { name: 'Standing instructions', note: 'Corporate actions', href: '/console/events/standing' },
    { name: 'Calendar subscription', note: 'Corporate actions', href: '/console/events/subscribe' },
    { name: 'OpenAPI document', note: 'JSON', href: '/openapi.json' },
  ]
}

export function actionsOf(deps: Deps, userName: string): PaletteItem[] {
  const clock = '/console/sim/clock'
  const step = (name: string, value: string): PaletteItem => ({ name, post: clock, fields: { step: value } })
  const sim: PaletteItem[] = [
    { name: 'Get a token', note: 'valid for 24 hours', post: '/console/token' },
    step('Travel to the next deadline', 'deadline'),
    step('Travel 1 day ahead', 'day'),
    step('Travel 1 month ahead', 'month'),
    ...(deps.travel() ? [step('Back to real time', 'real')] : []),
    { name: 'Inject a fault', href: '/console/sim/faults' },
  ]
  const others = (deps.demo?.users ?? []).filter((name) => name !== userName)
  return [
    ...(deps.environment === 'sim' ? sim : []),
    { name: 'Create an app', href: '/console/apps/new' },
    ...others.map((name): PaletteItem => {
      return { name: `Switch to ${name}`, note: 'user', post: '/console/switch', fields: { demo_user: name } }
    }),
    { name: 'Sign out', post: '/console/logout' },
  ]
}

/** The items in which every word begins a word of the name or the note, those with the first word in front first. */
export function matching(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  const wordsOf = (item: PaletteItem) => `${item.name} ${item.note ?? ''}`.toLowerCase().split(/\s+/)
  const begins = (item: PaletteItem) => item.name.toLowerCase().startsWith(wanted[0] ?? '')
  const found = items.filter((item) => wanted.every((word) => wordsOf(item).some((own) => own.startsWith(word))))
  return found.toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
}

/** A shorter query is likely a symbol. */
const minLettersOfAction = 4
const isShort = (query: string): boolean => query.replaceAll(/\s/g, '').length < minLettersOfAction

const isChange = (item: PaletteItem | undefined): boolean => item !== undefined && 'post' in item

/** The same for actions: for a short query, those that change something come last. */
export function matchingActions(actions: readonly PaletteItem[], query: string): PaletteItem[] {
  const found = matching(actions, query)
  return isShort(query) ? found.toSorted((one, other) => Number(isChange(one)) - Number(isChange(other))) : found
}

export type PaletteGroup = Readonly<{ title: string; items: readonly PaletteItem[] }>

type Found = Readonly<{
  actions: readonly PaletteItem[]
  pages: readonly PaletteItem[]
  instruments: readonly PaletteItem[]
  /** The query is the symbol or Uic of the first instrument. */
  hasExact: boolean
  others: readonly PaletteGroup[]
}>

/** Exact instruments come first, then actions and pages: their names are few, so one that matches is what was looked for.
 *  For a short query no action is first and selected that changes something. */
export function ordered(query: string, found: Found): { groups: PaletteGroup[]; selectsFirst: boolean } {
  const isActionLast = isShort(query) && isChange(found.actions[0])
  const actions = { title: 'Actions', items: found.actions }
  const instruments = { title: 'Instruments', items: found.instruments }
  const groups = [
    ...(found.hasExact ? [instruments] : []),
    ...(isActionLast ? [] : [actions]),
    { title: 'Pages', items: found.pages },
    ...(found.hasExact ? [] : [instruments]),
    ...found.others,
    ...(isActionLast ? [actions] : []),
  ].filter(({ items }) => items.length > 0)
  return { groups, selectsFirst: !(isShort(query) && isChange(groups[0]?.items[0])) }
}
