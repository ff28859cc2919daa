import { type AssetType, assetTypes } from '../../core/asset-type.ts'
import { invalid, type ModelState, Problem } from '../../core/problem.ts'
import { didYouMean } from '../../core/text.ts'

/** Only stocks, ETFs and ETCs can be searched by tag (§6.1). */
const taggedTypes: readonly AssetType[] = ['Stock', 'Etf', 'Etc']

const invalidCriteria = (message: string): Problem => new Problem('InvalidSearchCriteriaProvided', message)

const byLowerCase: ReadonlyMap<string, AssetType> = new Map(assetTypes.map((each) => [each.toLowerCase(), each]))

/** The asset type in a path, in any case (§2.1). */
export function assetTypeNamed(text: string): AssetType {
  const assetType = byLowerCase.get(text.toLowerCase())
  if (assetType) return assetType
  const hint = didYouMean(assetTypes, text) || ' Use one from the AssetType of a search result, such as Stock.'
  throw new Problem('InvalidAssetType', `There is no such asset type.${hint}`)
}

/** The display hint to search by: at most one, and `null` means none (§6.1). */
function hintOf<Hint extends string>(tags: readonly string[], hints: readonly Hint[]): Hint | undefined {
  const [tag, ...more] = tags.filter((text) => text.toLowerCase() !== 'null')
  if (tag === undefined) return undefined
  if (more.length > 0) throw invalidCriteria('Only one tag is supported. Send one value in Tags.')
  const hint = hints.find((each) => each.toLowerCase() === tag.toLowerCase())
  if (hint === undefined)
    throw invalidCriteria(`There is no such tag. Send a display hint: ${hints.join(', ')}.${didYouMean(hints, tag)}`)
  return hint
}

/** Whether to search complex instruments or the others. Both classes are no criterion (§6.1). */
export function complexity(classes: readonly ('Complex' | 'NonComplex')[] = []): boolean | undefined {
  const isComplex = classes.includes('Complex')
  return isComplex === classes.includes('NonComplex') ? undefined : isComplex
}

/** The asset types (undefined means all) and display hint to search by. A tag alone searches stocks, ETFs and ETCs (§6.1). */
export function typesAndHint<Hint extends string>(
  criteria: { AssetTypes?: readonly AssetType[] | undefined; Tags?: readonly string[] | undefined },
  hints: readonly Hint[],
): { assetTypes: ReadonlySet<AssetType> | undefined; hint: Hint | undefined } {
  const requested = criteria.AssetTypes && new Set(criteria.AssetTypes)
  const hint = hintOf(criteria.Tags ?? [], hints)
  if (hint === undefined) return { assetTypes: requested, hint }
  if (requested && [...requested].some((assetType) => !taggedTypes.includes(assetType)))
    throw invalidCriteria(`Tags can only be used with the asset types ${taggedTypes.join(', ')}.`)
  return { assetTypes: requested ?? new Set(taggedTypes), hint }
}

/** The value changes that can be searched by; the catalogue refers to them by index. */
export const valueChangeFigures = [
  'OneWeekTotalValueChange',
  'OneMonthTotalValueChange',
  'OneYearTotalValueChange',
] as const
type Figure = (typeof valueChangeFigures)[number]

type ValueChangeQuery = Readonly<Partial<Record<`${Figure}s${'From' | 'To'}`, number | undefined>>>
/** from ≤ value change ≤ to; `figure` is an index of valueChangeFigures. */
export type ValueChangeBounds = Readonly<{ figure: number; from: number; to: number }>

/** The parameters of each figure. */
const boundNames = valueChangeFigures.map((name) => [`${name}sFrom`, `${name}sTo`] as const)

/** The requested bounds in percent; a missing side is unbounded. */
export function valueChangeBounds(query: ValueChangeQuery): ValueChangeBounds[] {
  let errors: ModelState | undefined
  const bounds: ValueChangeBounds[] = []
  for (let figure = 0; figure < boundNames.length; figure++) {
    const [fromName, toName] = boundNames[figure] as (typeof boundNames)[number]
    const { [fromName]: from, [toName]: to } = query
    if (from === undefined && to === undefined) continue
    if (from !== undefined && to !== undefined && from > to)
      errors = {
        ...errors,
        [fromName]: [`Must not be more than ${toName}.`],
        [toName]: [`Must not be less than ${fromName}.`],
      }
    bounds.push({ figure, from: from ?? -Infinity, to: to ?? Infinity })
  }
  if (errors) throw invalid(errors)
  return bounds
}
