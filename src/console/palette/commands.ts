import { beginsLike, plural } from '../../core/text.ts'
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
    { name: 'Option chains', note: 'Instruments', href: '/console/instruments?AssetTypes=StockOption' },
    { name: 'Decisions', note: 'Corporate actions', href: '/console/events' },
    { name: 'Month', note: 'Corporate actions', href: '/console/events/month' },
    { name: 'Standing instructions', note: 'Corporate actions', href: '/console/events/standing' },
    { name: 'Calendar feed', note: 'Corporate actions', href: '/console/events/subscribe' },
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
    { name: 'Create an app', href: '/console/apps/new' },
    ...(deps.environment === 'sim' ? sim : []),
    ...others.map((name): PaletteItem => {
      return { name: `Switch to ${name}`, note: 'user', post: '/console/switch', fields: { demo_user: name } }
    }),
    { name: 'Sign out', post: '/console/logout' },
  ]
}

const wordsIn = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

const maxDays = 3_650

/** `travel 45` or `45 days`: as many days ahead. */
export function travelOf(query: string): PaletteItem | undefined {
  const words = wordsIn(query)
  const [word = '', number = ''] = /^days?$/.test(words[1] ?? '') ? ['travel', words[0]] : words
  const days = Number(/^\+?(\d{1,4})d?$/.exec(number)?.[1])
  if (word.length < 2 || !beginsLike('travel', word) || !(days > 0 && days <= maxDays)) return undefined
  const name = `Travel ${plural(days, 'day')} ahead`
  return { name, post: '/console/sim/clock', fields: { step: 'days', days: String(days) } }
}

const optionTypes = new Set(['call', 'calls', 'put', 'puts'])

/** `aapl opt` or `aapl put`: the instrument and the kind that is wanted of it. */
export function kindOf(query: string): { keywords: string; assetTypes: string } | undefined {
  const isOption = (word: string) =>
    optionTypes.has(word) || (word.length >= 3 && ['options', 'chains'].some((own) => beginsLike(own, word)))
  const isFuture = (word: string) => word.length >= 3 && beginsLike('futures', word)
  const words = wordsIn(query)
  for (const [isKind, assetTypes] of [
    [isOption, 'StockOption,StockIndexOption,FuturesOption'],
    [isFuture, 'ContractFutures'],
  ] as const) {
    const others = words.filter((word) => !isKind(word))
    if (others.length > 0 && others.length < words.length) return { keywords: others.join(' '), assetTypes }
  }
  return undefined
}

/** The items in which every word begins a word of the name or the note, those with the first word in front first. With a
 *  typo only if nothing else is found. */
export function matching(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const exact = matchingBy(items, query, (own, word) => own.startsWith(word))
  return exact.length > 0 ? exact : matchingBy(items, query, beginsLike)
}

function matchingBy(items: readonly PaletteItem[], query: string, matches: (own: string, word: string) => boolean) {
  const wanted = wordsIn(query)
  const wordsOf = (item: PaletteItem) => `${item.name} ${item.note ?? ''}`.toLowerCase().split(/\s+/)
  const begins = (item: PaletteItem) => item.name.toLowerCase().startsWith(wanted[0] ?? '')
  const found = items.filter((item) => wanted.every((word) => wordsOf(item).some((own) => matches(own, word))))
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

const targetOf = (item: PaletteItem): string => ('href' in item ? item.href : JSON.stringify(item))
const textOf = ({ name, note = '' }: PaletteItem): string => `${name}\n${note}`

/** Without items that lead to the same place, or that read the same, as one before. */
export const withoutRepeats = (items: readonly PaletteItem[]): PaletteItem[] =>
  firstOf(items, (item) => [targetOf(item), textOf(item)])

/** Sections of a document may have the same heading. */
export const docsTitle = 'Docs'
const firstIn = (title: string, items: readonly PaletteItem[]): PaletteItem[] =>
  title === docsTitle ? firstOf(items, (item) => [targetOf(item)]) : withoutRepeats(items)

/** The items that have no key in common with one before. */
function firstOf(items: readonly PaletteItem[], keysOf: (item: PaletteItem) => readonly string[]): PaletteItem[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const keys = keysOf(item)
    const isNew = keys.every((key) => !seen.has(key))
    for (const key of keys) seen.add(key)
    return isNew
  })
}

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
  ]
    .map(({ title, items }) => ({ title, items: firstIn(title, items) }))
    .filter(({ items }) => items.length > 0)
  return { groups, selectsFirst: !(isShort(query) && isChange(groups[0]?.items[0])) }
}
