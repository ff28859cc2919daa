import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { actorOf } from '../../access/caller.ts'
import { isOperator } from '../../access/store/identities.ts'
import { FairQueue } from '../../core/async/fair-queue.ts'
import { wireTime } from '../../core/clock.ts'
import { invalid, notFound, Problem } from '../../core/problem.ts'
import { didYouMean } from '../../core/text.ts'
import { limits } from '../../http/limits/buckets.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf, feed } from '../../http/output/feed.ts'
import { describeRecords, describeScenario, listScenarios } from '../scenarios/describe.ts'
import { ScenarioErrors } from '../scenarios/errors.ts'
import { shippedScenarios } from '../scenarios/shipped.ts'
import { findLoaded } from '../store/scenarios.ts'
import { controllerOf, mayControl } from './controls.ts'
import type { SimDependencies } from './dependencies.ts'
import { ScenarioBody, ScenarioDetails, ScenarioParams, ScenarioView } from './scenario-schema.ts'

const path = '/x/v1/scenarios'
const loading =
  'All of its records are loaded in one transaction, or none; each must be new. Relative days count from the day of the ' +
  "service's clock. The change affects every user, on every node. What it brought goes when it is unloaded, or with a reset."

export const listScenariosOperation = operation({
  method: 'GET',
  path,
  operationId: 'listScenarios',
  summary: 'List scenarios',
  description: 'Returns the scenarios that come with the service, and those that are loaded, by name.',
  responses: { 200: FeedOf(ScenarioView) },
})

export const getScenario = operation({
  method: 'GET',
  path: `${path}/:Name`,
  operationId: 'getScenario',
  summary: 'Get a scenario',
  description:
    'Returns what a scenario shows, and if it is loaded, what it brought. Only callers who may load scenarios get keys.',
  params: ScenarioParams,
  responses: { 200: ScenarioDetails },
  errors: ['NoResultFound'],
})

export const putScenario = operation({
  method: 'PUT',
  path: `${path}/:Name`,
  operationId: 'loadScenario',
  permission: 'loadScenarios',
  summary: 'Load a scenario',
  description: `Loads a scenario that comes with the service. ${loading}`,
  params: ScenarioParams,
  responses: { 200: ScenarioDetails },
  errors: ['RequestNotAllowed', 'NoResultFound', 'ScenarioLoaded', 'ScenarioConflict', 'LimitReached'],
})

/** Quoting makes the text longer: each quotation mark and each line end takes two bytes. */
const tooLargeAdvice =
  `As JSON, with its quotation marks escaped, a scenario has at most ${limits.bodyBytes / 1024} KB here. ` +
  'Load a larger one with: refdesk scenario load FILE'

export const postScenario = operation({
  method: 'POST',
  path,
  operationId: 'loadScenarioText',
  permission: 'loadScenarios',
  summary: 'Load a scenario of your own',
  description:
    `Loads the scenario that the text describes. ${loading} Errors name the line and the field. Users that it brings must ` +
    "belong to the caller's client, or to clients that it brings. Unless the caller is an operator, so must accounts, positions " +
    'and apps, and access rights are only for clients that it brings and at most those of the caller.',
  body: ScenarioBody,
  responses: { 201: ScenarioDetails },
  errors: ['RequestNotAllowed', 'ScenarioLoaded', 'LimitReached'],
  config: { tooLargeAdvice },
})

export const deleteScenario = operation({
  method: 'DELETE',
  path: `${path}/:Name`,
  operationId: 'unloadScenario',
  permission: 'loadScenarios',
  summary: 'Unload a scenario',
  description:
    'Removes exactly what the scenario brought, also if it was changed since: elections, sessions of its users, positions in ' +
    'its instruments go with it. Rejected if something else still needs one of its records, such as an instrument on its exchange.',
  params: ScenarioParams,
  errors: ['RequestNotAllowed', 'NoResultFound', 'ScenarioConflict'],
})

/** Each load holds a connection: one at a time per node, users in turn. */
const queue = new FairQueue(1, 20)
/** It needs the imports of all domains, which take long to load. */
const loadModule = () => import('../scenarios/load.ts')
/** Building the catalogue takes less; otherwise the node follows after the response. */
const maxWaitMs = 10_000

export async function handleListScenarios({ db }: SimDependencies) {
  return feed({ data: (await listScenarios(db)).map(viewOf) })
}

export async function handleGetScenario(deps: SimDependencies, request: RequestOf<typeof getScenario>) {
  const details = await detailsOf(deps, request.params.Name)
  if (!details.Records || (await mayControl(deps, request))) return details
  // Keys can be those of other clients' accounts.
  return { ...details, Records: details.Records.map((records) => ({ ...records, Keys: [] })) }
}

export async function handlePutScenario(deps: SimDependencies, request: RequestOf<typeof putScenario>) {
  const { Name } = request.params
  const { audit } = await authorize(deps, request)
  const all = await shippedScenarios()
  const shipped = all.get(Name)
  if (!shipped) throw unknownScenario(Name, [...all.keys()])
  const source = { name: Name, text: shipped.text }
  const { loadScenario } = await loadModule()
  await inTurn(deps, request, () => loadScenario(deps, source, { audit }).catch(throwConflict))
  return detailsOf(deps, Name)
}

export async function handlePostScenario(
  deps: SimDependencies,
  request: RequestOf<typeof postScenario>,
  reply: FastifyReply,
) {
  const { audit, caller } = await authorize(deps, request)
  const { UserKey: userKey, ClientKey: clientKey } = caller
  const loader = { userKey, clientKey, isOperator: await isOperator(deps.db, userKey) }
  const source = { name: 'Text', text: request.body.Text }
  const { loadScenario } = await loadModule()
  const load = () => loadScenario(deps, source, { audit, loader }).catch(throwInvalid)
  const { head } = await inTurn(deps, request, load)
  reply.code(201)
  return detailsOf(deps, head.Name)
}

export async function handleDeleteScenario(
  deps: SimDependencies,
  request: RequestOf<typeof deleteScenario>,
  reply: FastifyReply,
) {
  const { Name } = request.params
  const { audit } = await authorize(deps, request)
  const { unloadScenario } = await loadModule()
  await inTurn(deps, request, async () => {
    const unloaded = await unloadScenario(deps, Name, audit).catch(throwConflict)
    if (!unloaded) throw notFound(`A loaded scenario ${Name}`)
    return unloaded
  })
  return reply.code(204).send()
}

const unknownScenario = (name: string, names: readonly string[]): Problem =>
  new Problem(
    'NoResultFound',
    `There is no scenario ${name}.${didYouMean(names, name)} The service comes with ${names.join(', ')}.`,
  )

async function authorize(deps: SimDependencies, request: FastifyRequest) {
  const caller = await controllerOf(deps, request)
  return { caller, audit: { ...actorOf(request), app: caller.appKey } }
}

/** Changes the data. This node serves the change before it responds. */
async function inTurn<Changed extends { revision: number }>(
  deps: SimDependencies,
  request: FastifyRequest,
  change: () => Promise<Changed>,
): Promise<Changed> {
  const changed = await queue.run(actorOf(request).user, change)
  await deps.feed.poll()
  await Promise.race([deps.servesRevision(changed.revision), sleep(maxWaitMs, undefined, { ref: false })])
  return changed
}

const maxNamed = 10

function throwConflict(error: unknown): never {
  if (!(error instanceof ScenarioErrors)) throw error
  const { sentences } = error
  const more = sentences.length > maxNamed ? [`and ${sentences.length - maxNamed} more`] : []
  throw new Problem('ScenarioConflict', [...sentences.slice(0, maxNamed), ...more, 'Nothing was changed.'].join(' '))
}

function throwInvalid(error: unknown): never {
  throw error instanceof ScenarioErrors ? invalid({ Text: [...error.sentences] }) : error
}

async function detailsOf({ db }: SimDependencies, name: string): Promise<Static<typeof ScenarioDetails>> {
  const loaded = await findLoaded(db, name)
  const described = describeScenario((await shippedScenarios()).get(name), loaded)
  if (!described) throw notFound(`Scenario ${name}`)
  return { ...viewOf(described), ...(loaded && { Records: describeRecords(loaded.records) }) }
}

function viewOf({ LoadedAt, ...scenario }: NonNullable<ReturnType<typeof describeScenario>>) {
  return { ...scenario, ...(LoadedAt && { LoadedAt: wireTime(LoadedAt) }) }
}
