import { Problem } from '../../core/problem.ts'
import { type Explainer, explainer } from '../../http/explain/explainer.ts'
import {
  emptyDetailsProblem,
  getInstrumentDetails,
  getTradingSchedule,
  listInstrumentDetails,
  requestedDetails,
} from '../api/details.ts'
import { type InstrumentDependencies, viewFor } from '../api/request-view.ts'
import { requestedSearch, searchInstruments } from '../api/search.ts'
import { getFuturesSpace, getOptionSpace } from '../api/spaces.ts'
import { listTradability } from '../api/tradability.ts'
import { withSegment } from '../rules/option-space.ts'
import { assetTypeNamed } from '../rules/search-criteria.ts'
import { explainDetails } from './details.ts'
import { explainInstrument, explainSchedule } from './instrument.ts'
import { explainSearch } from './search.ts'
import { explainFuturesSpace, explainOptionSpace } from './spaces.ts'

/** An unknown instrument has no accounts. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof Problem && error.status === 404)) throw error
}

/** Operations 1 to 6. The view is that of the operation: the same data, rights and moment. */
export function instrumentExplainers(deps: InstrumentDependencies): Explainer[] {
  const { profile } = deps
  return [
    explainer(searchInstruments, async ({ caller, query }) => {
      const { criteria, page } = requestedSearch(query)
      return (await explainSearch(await viewFor(deps, { caller }, query), criteria, page)).explained
    }),
    explainer(listInstrumentDetails, async ({ caller, query }) => {
      const { criteria, page } = requestedDetails(query)
      const explained = await explainDetails(await viewFor(deps, { caller }, query), criteria, page)
      const isError = explained.count === 0 && !profile.isEmptyDetailsListFound
      return isError ? { ...explained, problem: emptyDetailsProblem() } : explained
    }),
    explainer(getInstrumentDetails, async ({ caller, params, query }) => {
      const assetType = assetTypeNamed(params.AssetType)
      const view = await viewFor(deps, { caller }, query)
      const isOwn = query.ClientKey === undefined && query.AccountKey === undefined && query.AsOf === undefined
      const tradability = isOwn ? await listTradability(deps, caller, params).catch(undefinedIfMissing) : undefined
      return explainInstrument(view, params.Uic, assetType, tradability)
    }),
    explainer(getTradingSchedule, async ({ caller, params, query }) => {
      const assetType = assetTypeNamed(params.AssetType)
      return explainSchedule(await viewFor(deps, { caller }, query), params.Uic, assetType)
    }),
    explainer(getOptionSpace, async ({ caller, params, query }) => {
      const view = await viewFor(deps, { caller }, { ClientKey: query.ClientKey, AsOf: query.AsOf })
      return explainOptionSpace(view, params.OptionRootId, withSegment(query, profile.defaultOptionSpaceSegment))
    }),
    explainer(getFuturesSpace, async ({ caller, params, query }) =>
      explainFuturesSpace(
        await viewFor(deps, { caller }, query),
        params.ContinuousFuturesUic,
        profile.datedFutureError,
      ),
    ),
  ]
}
