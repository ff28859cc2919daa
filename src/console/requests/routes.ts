import type { PageRouter } from '../shared/router.ts'
import { listPath } from './data.ts'
import { orGone, sendAgain, showExchange } from './exchange.ts'
import { showRequests } from './list.ts'

/** The pages of the request log (§11.6), which do not add to it. */
export function requestRoutes(router: PageRouter): void {
  const unlogged = { unlogged: true }
  router.get(listPath, showRequests, unlogged)
  router.get(`${listPath}/:Id`, orGone(showExchange), unlogged)
  router.post(`${listPath}/:Id/again`, orGone(sendAgain), unlogged)
}
