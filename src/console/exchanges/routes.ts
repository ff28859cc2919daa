import type { PageRouter } from '../shared/router.ts'
import { showExchange } from './exchange.ts'
import { showExchanges } from './list.ts'
import { exchangesPath } from './paths.ts'

export function exchangeRoutes(router: PageRouter): void {
  router.get(exchangesPath, showExchanges)
  router.get(`${exchangesPath}/:ExchangeId`, showExchange)
}
