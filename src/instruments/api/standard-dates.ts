import { Type } from 'typebox'
import { Problem } from '../../core/problem.ts'
import { describe, named, oneOf } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import { FeedOf, feed, wholeListMaxRows } from '../../http/output/feed.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { forwardTenors, optionExpiries } from '../rules/standard-dates.ts'
import { AccessQuery } from './fields/parameters.ts'
import { Day } from './fields/values.ts'
import { type HandlerOf, read, requireVisible, sendHashed, viewFor } from './request-view.ts'

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
  query: Type.Pick(AccessQuery, ['AccountKey']),
  responses: { 200: FeedOf(standardDate('ForwardTenor', '2026-12-18')) },
})

export const listOptionExpiries = operation({
  ...shared,
  path: '/ref/v1/standarddates/fxoptionexpiry/:Uic',
  operationId: 'listFxOptionExpiries',
  summary: 'List FX option expiries',
  description: 'Returns the expiries of the usual options on a currency pair, from a day to a year ahead.',
  responses: { 200: FeedOf(standardDate('FxOptionExpiry', '2026-12-16')) },
})

export const handleListForwardTenors: HandlerOf<typeof listForwardTenors> = async (deps, request, reply) => {
  const view = await viewFor(deps, request, request.query)
  return sendHashed(request, reply, view, datesOf(view, request.params.Uic, 'FxForwards', forwardTenors))
}

export const handleListOptionExpiries: HandlerOf<typeof listOptionExpiries> = async (deps, request, reply) => {
  const view = await viewFor(deps, request)
  return sendHashed(request, reply, view, datesOf(view, request.params.Uic, 'FxVanillaOption', optionExpiries))
}

function datesOf(view: RequestView, uic: number, assetType: string, datesFor: typeof forwardTenors): { body: Buffer } {
  const { reader, row } = requireVisible(view, uic, assetType)
  const pair = reader.pairOf(row)
  if (!pair)
    throw new Problem(
      'NoResultFound',
      `Instrument ${uic} has no standard dates: import its record with SpotDays, such as 2.`,
    )
  const today = view.snapshot.todayAt(reader.exchangeOf(row), view.now)
  const data = datesFor(pair, today)
  return { body: Buffer.from(JSON.stringify(feed({ data, count: data.length, maxRows: wholeListMaxRows }))) }
}
