import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../core/problem.ts'
import { describe, named, oneOf } from '../../core/schema.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf, feed, pageOf, wholeListMaxRows, wholeListQuery } from '../../http/output/feed.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { forwardTenors, optionExpiries } from '../rules/standard-dates.ts'
import { AccessQuery } from './fields/parameters.ts'
import { Day } from './fields/values.ts'
import {
  type AskedView,
  type HandlerOf,
  type InstrumentDependencies,
  read,
  requireVisible,
  sendHashed,
  viewFor,
} from './request-view.ts'

const TenorUnit = named('TenorUnit', oneOf('Days', 'Weeks', 'Months', 'Years'), 'The unit of a tenor.')
const standardDate = (title: string, inAMonth: string) =>
  Type.Object(
    {
      Date: describe(Day, 'The day.'),
      Unit: describe(TenorUnit, 'The unit of Value.'),
      Value: Type.Integer({ description: 'How many units: 3 Months.' }),
    },
    { title, examples: [{ Date: inAMonth, Unit: 'Months', Value: 1 }] },
  )
const shared = {
  ...read,
  params: Type.Object({ Uic: Type.Integer({ description: 'The Uic of the currency pair.', examples: [4000] }) }),
  errors: ['IllegalInstrumentId', 'NoResultFound'],
} as const

export const listForwardTenors = operation({
  ...shared,
  path: '/ref/v1/standarddates/forwardtenor/:Uic',
  operationId: 'listForwardTenors',
  summary: 'List forward tenors',
  description: 'Returns the value dates of the usual forwards on a currency pair, from a week to a year after spot.',
  query: Type.Object({ AccountKey: AccessQuery.properties.AccountKey, ...wholeListQuery() }),
  responses: { 200: FeedOf(standardDate('ForwardTenor', '2026-12-18')) },
})

export const listOptionExpiries = operation({
  ...shared,
  path: '/ref/v1/standarddates/fxoptionexpiry/:Uic',
  operationId: 'listFxOptionExpiries',
  summary: 'List FX option expiries',
  description: 'Returns the expiries of the usual options on a currency pair, from a day to a year ahead.',
  query: Type.Object(wholeListQuery()),
  responses: { 200: FeedOf(standardDate('FxOptionExpiry', '2026-12-16')) },
})

export const handleListForwardTenors: HandlerOf<typeof listForwardTenors> = async (deps, request, reply) => {
  const view = await viewFor(deps, request, request.query)
  const dates = datesOf(view, request.params.Uic, 'FxForwards', forwardTenors)
  return sendDates(deps, request, reply, { view, dates, path: listForwardTenors.path })
}

export const handleListOptionExpiries: HandlerOf<typeof listOptionExpiries> = async (deps, request, reply) => {
  const view = await viewFor(deps, request)
  const dates = datesOf(view, request.params.Uic, 'FxVanillaOption', optionExpiries)
  return sendDates(deps, request, reply, { view, dates, path: listOptionExpiries.path })
}

type Dates = ReturnType<typeof forwardTenors>

function sendDates(
  { baseUrl }: InstrumentDependencies,
  request: RequestOf<typeof listOptionExpiries>,
  reply: FastifyReply,
  { view, dates, path }: Readonly<{ view: AskedView; dates: Dates; path: string }>,
) {
  const page = pageOf(request, `${baseUrl}${path.replace(':Uic', String(request.params.Uic))}`, dates)
  const body = feed({ ...page, count: dates.length, maxRows: wholeListMaxRows })
  return sendHashed(request, reply, view, { body: Buffer.from(JSON.stringify(body)) })
}

function datesOf(view: RequestView, uic: number, assetType: string, datesFor: typeof forwardTenors): Dates {
  const { reader, row } = requireVisible(view, uic, assetType)
  const pair = reader.pairOf(row)
  if (!pair)
    throw new Problem(
      'NoResultFound',
      `Instrument ${uic} has no standard dates: import its record with SpotDays, such as 2.`,
    )
  const today = view.snapshot.todayAt(reader.exchangeOf(row), view.now)
  return datesFor(pair, today)
}
