import { addOperation, type Operation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { handleListCurrencyPairs, listCurrencyPairs } from './currency-pairs.ts'
import {
  getInstrumentDetails,
  getTradingSchedule,
  handleGetInstrumentDetails,
  handleGetTradingSchedule,
  handleListInstrumentDetails,
  listInstrumentDetails,
} from './details.ts'
import {
  getExchange,
  getHolidays,
  handleGetExchange,
  handleGetHolidays,
  handleListExchanges,
  listExchanges,
} from './exchanges.ts'
import { handleListReferencePrices, listReferencePrices } from './prices.ts'
import type { InstrumentDependencies, InstrumentHandler } from './request-view.ts'
import { getRevision, handleGetRevision } from './revision.ts'
import { handleSearchInstruments, searchInstruments } from './search.ts'
import { getFuturesSpace, getOptionSpace, handleGetFuturesSpace, handleGetOptionSpace } from './spaces.ts'
import { getTradability, handleGetTradability } from './tradability.ts'

/** The operations of this domain. Operations 1 to 6 are served from the catalogue in memory, without the database. */
export function instrumentRoutes(api: Server, deps: InstrumentDependencies): void {
  const add = <O extends Operation>(declared: O, handle: InstrumentHandler<O>) =>
    addOperation(api, declared, (request, reply) => handle(deps, request, reply))

  add(searchInstruments, handleSearchInstruments)
  add(listInstrumentDetails, handleListInstrumentDetails)
  add(getInstrumentDetails, handleGetInstrumentDetails)
  add(getOptionSpace, handleGetOptionSpace)
  add(getFuturesSpace, handleGetFuturesSpace)
  add(getTradingSchedule, handleGetTradingSchedule)
  add(listExchanges, handleListExchanges)
  add(getExchange, handleGetExchange)
  add(listCurrencyPairs, handleListCurrencyPairs)
  add(getHolidays, handleGetHolidays)
  add(listReferencePrices, handleListReferencePrices)
  add(getRevision, handleGetRevision)
  add(getTradability, handleGetTradability)
}
