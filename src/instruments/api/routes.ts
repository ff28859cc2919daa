import { addOperation, type Operation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import * as currencyPairs from './currency-pairs.ts'
import * as details from './details.ts'
import * as entitlements from './entitlements.ts'
import * as exchanges from './exchanges.ts'
import * as prices from './prices.ts'
import type { HandlerOf, InstrumentDependencies } from './request-view.ts'
import * as revision from './revision.ts'
import * as search from './search.ts'
import * as spaces from './spaces.ts'
import * as standardDates from './standard-dates.ts'
import * as tradability from './tradability.ts'

/** The operations of this domain. Operations 1 to 6 are served from the catalogue in memory, without the database. */
export function instrumentRoutes(api: Server, deps: InstrumentDependencies): void {
  const add = <O extends Operation>(declared: O, handle: HandlerOf<O>) =>
    addOperation(api, declared, (request, reply) => handle(deps, request, reply))

  add(search.searchInstruments, search.handleSearchInstruments)
  add(details.listInstrumentDetails, details.handleListInstrumentDetails)
  add(details.getInstrumentDetails, details.handleGetInstrumentDetails)
  add(spaces.getOptionSpace, spaces.handleGetOptionSpace)
  add(spaces.getFuturesSpace, spaces.handleGetFuturesSpace)
  add(details.getTradingSchedule, details.handleGetTradingSchedule)
  add(exchanges.listExchanges, exchanges.handleListExchanges)
  add(exchanges.getExchange, exchanges.handleGetExchange)
  add(entitlements.listEntitlements, entitlements.handleListEntitlements)
  add(entitlements.listUserEntitlements, entitlements.handleListUserEntitlements)
  add(currencyPairs.listCurrencyPairs, currencyPairs.handleListCurrencyPairs)
  add(standardDates.listForwardTenors, standardDates.handleListForwardTenors)
  add(standardDates.listOptionExpiries, standardDates.handleListOptionExpiries)
  add(exchanges.listHolidays, exchanges.handleListHolidays)
  add(exchanges.listEarlierSessions, exchanges.handleListEarlierSessions)
  add(exchanges.getExchangeSchedule, exchanges.handleGetExchangeSchedule)
  add(exchanges.getHolidays, exchanges.handleGetHolidays)
  add(exchanges.getInstrumentHolidays, exchanges.handleGetInstrumentHolidays)
  add(prices.listReferencePrices, prices.handleListReferencePrices)
  add(revision.getRevision, revision.handleGetRevision)
  add(tradability.getTradability, tradability.handleGetTradability)
}
