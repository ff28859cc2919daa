import type { TSchema } from 'typebox'
import type { Environment } from '../core/environment.ts'
import { type Permission, permissionOf } from '../core/rights/permissions.ts'
import type { Shape } from '../core/validation/shape.ts'
import { getEvent, getEventLookup, listEvents } from '../events/api/routes.ts'
import { electOptions } from '../events/elections/routes.ts'
import { explainRequest } from '../http/explain/routes.ts'
import type { Operation } from '../http/operation.ts'
import { getInstrumentDetails, getTradingSchedule } from '../instruments/api/details.ts'
import { searchInstruments } from '../instruments/api/search.ts'
import { getFuturesSpace, getOptionSpace } from '../instruments/api/spaces.ts'
import { changeClock } from '../sim/api/clock.ts'
import { putScenario } from '../sim/api/scenarios.ts'
import { shippedScenarios } from '../sim/scenarios/shipped.ts'

export type Tool = Readonly<{
  name: string
  operation: Operation
  description: string
  input: Shape & Readonly<{ type: 'object' }>
  isReadOnly: boolean
  /** What is read when tools are listed; the description ends with it. */
  readMore?: () => Promise<string>
}>

/** How a tool is called, where it differs from the operation's own words. */
const hints: Readonly<Record<string, string>> = {
  search_instruments:
    'Returns Identifier (the Uic, or the OptionRootId of an option root) and AssetType, which the other tools take.',
  get_option_chain: 'OptionRootId is the Identifier of an option root from search_instruments.',
  get_futures: 'ContinuousFuturesUic is the Identifier of a continuous future from search_instruments.',
  get_event: 'EventId is from list_events.',
  explain: 'Use it if an answer is empty or not what the user expected.',
  elect: 'EventId, AccountKey and OptionId are from list_events or get_event. Ask the user before you elect.',
  travel:
    'It changes the time for every user of this sim: ask the user first. To return to real time, send AdvanceSeconds = ' +
    '-OffsetSeconds of the last answer.',
  load_scenario:
    'It changes the data for every user of this sim: ask the user first. Only the user can unload it: refdesk scenario unload ' +
    'NAME, or in the console.',
}

/** For operations whose description is about HTTP or the console. */
const ownDescriptions: Readonly<Record<string, string>> = {
  list_events:
    'Returns the dividends, splits, offers and other events of securities that the selected accounts hold, or held on the record ' +
    'date, from one year ago to one year ahead.',
  elect:
    'Replaces all elections of an account for an event: how much of its holding gets which option. What is left gets the ' +
    'default option after the deadline, until which elections can be changed.',
  travel:
    'Sets the time of the service or moves it by some seconds, and stops or starts the clock. Events, deadlines and trading hours ' +
    'follow the new time. You stay signed in; other sessions may end.',
}

const readers: Readonly<Record<string, () => Promise<string>>> = {
  load_scenario: async () => `Names: ${[...(await shippedScenarios()).keys()].join(', ')}.`,
}

const declared = (environment: Environment): Readonly<Record<string, Operation>> => ({
  search_instruments: searchInstruments,
  get_instrument: getInstrumentDetails,
  get_option_chain: getOptionSpace,
  get_futures: getFuturesSpace,
  get_trading_schedule: getTradingSchedule,
  list_events: listEvents,
  get_event: getEvent,
  explain: explainRequest,
  ...(environment === 'sim' && { travel: changeClock, load_scenario: putScenario, elect: electOptions }),
})

/** Paths that a value of a tool could name: a path without parameters wins over one with them. */
export const otherPaths: ReadonlySet<string> = new Set([getEventLookup.path])

/** The tools of an environment. Their schemas and texts are those of the operations. */
export function toolsOf(environment: Environment): readonly Tool[] {
  return Object.entries(declared(environment)).map(([name, operation]) => {
    const isReadOnly = operation.method === 'GET'
    const description = [ownDescriptions[name] ?? operation.description, hints[name]].filter(Boolean).join(' ')
    const readMore = readers[name]
    return {
      name,
      operation,
      description,
      input: inputOf(operation, isReadOnly),
      isReadOnly,
      ...(readMore && { readMore }),
    }
  })
}

export const permissionsOfTools = (tools: readonly Tool[]): ReadonlySet<Permission> =>
  new Set(tools.map(({ operation }) => permissionOf(operation)))

/** The cursor of a tool replaces these. */
const replaced = new Set(['$skip', '$skiptoken'])

/** `top` for `$top`: names of tool parameters have letters only. */
export const plainName = (name: string): string => name.replace(/^\$/, '')

export const propertiesOf = (schema: TSchema | undefined): [string, Shape][] =>
  Object.entries((schema as Shape | undefined)?.properties ?? {}).filter(([name]) => !replaced.has(name))

const cursor: Shape = {
  type: 'string',
  maxLength: 8_000,
  description: 'The cursor of the answer before, to go on; send the other parameters unchanged.',
}

function inputOf({ params, query, body }: Operation, isReadOnly: boolean): Tool['input'] {
  const schemas = [params, query, body]
  const properties = schemas.flatMap(propertiesOf).map(([name, shape]) => [plainName(name), shape] as const)
  const required = schemas.flatMap((schema) => {
    const names = (schema as Shape | undefined)?.required ?? []
    return propertiesOf(schema).flatMap(([name, shape]) =>
      names.includes(name) && shape.default === undefined ? [plainName(name)] : [],
    )
  })
  return {
    type: 'object',
    properties: Object.fromEntries([...properties, ...(isReadOnly ? [['cursor', cursor] as const] : [])]),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
