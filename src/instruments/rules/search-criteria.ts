import { type AssetType, assetTypes } from '../../core/asset-type.ts'
import { invalid, type ModelState, Problem } from '../../core/problem.ts'

/** §4.1: only stocks, ETFs and ETCs can be searched by tag. */
const taggedTypes: readonly AssetType[] = ['Stock', 'Etf', 'Etc']

const refused = (message: string): Problem => new Problem('InvalidSearchCriteriaProvided', message)

/** The member of a closed set that a text means: case does not matter (contract §1). */
function meant<T extends string>(members: readonly T[], text: string): T | undefined {
  const wanted = text.toLowerCase()
  return members.find((member) => member.toLowerCase() === wanted)
}

const byLowerCase: ReadonlyMap<string, AssetType> = new Map(assetTypes.map((each) => [each.toLowerCase(), each]))

/** The asset type that a path names; an unknown one is 400 InvalidAssetType (contract §6). */
export function assetTypeNamed(text: string): AssetType {
  const assetType = byLowerCase.get(text.toLowerCase())
  if (assetType) return assetType
  throw new Problem('InvalidAssetType', 'There is no such asset type. Use one as search and details name it: Stock.')
}

/** The display hint to search by, of those there are. At most one, and `null` is none (§4.1, contract §6). */
function hintOf<Hint extends string>(tags: readonly string[], hints: readonly Hint[]): Hint | undefined {
  const [tag, ...more] = tags.filter((text) => text.toLowerCase() !== 'null')
  if (tag === undefined) return undefined
  if (more.length > 0) throw refused('Only one tag is supported. Give one value in Tags.')
  const hint = meant(hints, tag)
  if (hint === undefined) throw refused(`There is no such tag. Tags is a display hint: ${hints.join(', ')}.`)
  return hint
}

export type TypesAndHint<Hint> = Readonly<{
  /** Undefined: every asset type; in search each instrument then appears once, in its main one. */
  assetTypes: ReadonlySet<AssetType> | undefined
  hint: Hint | undefined
}>

/** Which asset types are searched, and by which display hint: a tag alone means stocks, ETFs and ETCs (contract §6). */
export function typesAndHint<Hint extends string>(
  criteria: { AssetTypes?: readonly AssetType[] | undefined; Tags?: readonly string[] | undefined },
  hints: readonly Hint[],
): TypesAndHint<Hint> {
  const asked = criteria.AssetTypes && new Set(criteria.AssetTypes)
  const hint = hintOf(criteria.Tags ?? [], hints)
  if (hint === undefined) return { assetTypes: asked, hint }
  if (asked && [...asked].some((assetType) => !taggedTypes.includes(assetType)))
    throw refused(`Tags can only be used with the asset types ${taggedTypes.join(', ')}.`)
  return { assetTypes: asked ?? new Set(taggedTypes), hint }
}

/** The figures that can be searched by; a number stands for each. */
export const valueChangeFigures = [
  'OneWeekTotalValueChange',
  'OneMonthTotalValueChange',
  'OneYearTotalValueChange',
] as const
type Figure = (typeof valueChangeFigures)[number]

export type ValueChangeQuery = Readonly<Partial<Record<`${Figure}s${'From' | 'To'}`, number | undefined>>>
export type ValueChangeBounds = Readonly<{ figure: number; from: number; to: number }>

/** The bounds that are asked for, in percent; a missing side is open. One that begins above its end holds nothing. */
export function valueChangeBounds(query: ValueChangeQuery): ValueChangeBounds[] {
  const faults: ModelState = {}
  const bounds = valueChangeFigures.flatMap((name, figure) => {
    const [fromName, toName] = [`${name}sFrom`, `${name}sTo`] as const
    const { [fromName]: from, [toName]: to } = query
    if (from === undefined && to === undefined) return []
    if (from !== undefined && to !== undefined && from > to) {
      faults[fromName] = [`Must not be more than ${toName}.`]
      faults[toName] = [`Must not be less than ${fromName}.`]
    }
    return [{ figure, from: from ?? -Infinity, to: to ?? Infinity }]
  })
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return bounds
}
