import type { AccessView } from '../../access/rules/visibility.ts'
import { assetTypes } from '../../core/asset-type.ts'
import type { ExplanationStep } from '../../core/explain/schema.ts'
import { plainStep } from '../../core/explain/step-tally.ts'

/** What the caller's rights leave, said from the rights alone: nothing in it depends on what they hide (§5.2). */
export function rightsStep(access: AccessView, rows: number): ExplanationStep {
  const seesAll = assetTypes.every((type) => access.exchangesOf(type) === 'all')
  const text = seesAll
    ? 'Everything there is: your rights cover all asset types and exchanges.'
    : 'What your rights cover. Anything else is left out before the first count, as if it did not exist.'
  return { ...plainStep({ section: '§5.2', title: 'Access rights', text }), RowsOut: rows }
}

/** What the rights say of one asset type. */
export function rightsOfType(access: AccessView, assetType: string): string {
  const exchanges = access.exchangesOf(assetType)
  if (exchanges === 'all') return `You may see ${assetType} at all exchanges.`
  if (exchanges.length === 0) return `You have no right to ${assetType} at any exchange.`
  return `You may see ${assetType} at ${exchanges.join(', ')} only.`
}
