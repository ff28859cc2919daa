import type { FastifyReply } from 'fastify'
import { html } from '../../http/html/html.ts'
import { catchApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { errorNotice, notice } from '../shared/elements.ts'
import type { PageRouter } from '../shared/router.ts'
import { type Entry, giveCard, givenNotice, givePosition, newEntry } from './give-position.ts'
import { loadOwn, ownScenarioCard, type RejectedText, uploadLimit } from './own-scenario.ts'
import { onlyOperators, pathOf } from './paths.ts'
import { type ScenarioRow, type Shown, scenarioLists } from './scenario-cards.ts'
import { type Details, linksOf } from './scenario-links.ts'
import type { ClockState } from './time-travel.ts'

const path = pathOf('scenarios')
const apiPath = (name: string): string => `/x/v1/scenarios/${encodeURIComponent(name)}`

const doneMessages = new Map([
  ['loaded', 'The scenario was loaded. Its links show what the signed-in user can see.'],
  ['unloaded', 'The scenario was unloaded. Everything that it added was removed.'],
])

export function scenarioRoutes(router: PageRouter): void {
  router.get(path, (ctx) => showScenarios(ctx))
  router.post(`${path}/load`, orShowErrors(load))
  router.post(`${path}/unload`, orShowErrors(unload))
  const bodyLimit = uploadLimit
  router.post(`${path}/own`, (ctx, form) => loadOwn(ctx, form, (own) => showScenarios(ctx, { own })), { bodyLimit })
  router.post(`${path}/give`, (ctx, form) => givePosition(ctx, form, (entry) => showScenarios(ctx, { entry })))
}

type Handler = (ctx: PageContext, form: URLSearchParams) => Promise<FastifyReply>
type Rejected = Readonly<{ errors?: readonly string[]; own?: RejectedText; entry?: Entry }>

function orShowErrors(handler: Handler): Handler {
  return (ctx, form) =>
    handler(ctx, form).catch((error: unknown) => {
      // 404: it is not loaded any more. 409: it is loaded already, or meets other data.
      const { messages } = catchApiError(400, 404, 409)(error)
      return showScenarios(ctx, { errors: messages })
    })
}

async function load(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const { Name } = await ctx.api.send<Details>('PUT', apiPath(form.get('name') ?? ''))
  return ctx.redirect(`${path}?done=loaded&look=${Name}`)
}

async function unload(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  await ctx.api.send('DELETE', apiPath(form.get('name') ?? ''))
  return ctx.redirect(`${path}?done=unloaded`)
}

async function showScenarios(ctx: PageContext, rejected?: Rejected): Promise<FastifyReply> {
  const [{ Data }, { MayControl: mayControl }, shown, given] = await Promise.all([
    ctx.api.get<{ Data: ScenarioRow[] }>('/x/v1/scenarios'),
    ctx.api.get<ClockState>('/x/v1/clock'),
    findShown(ctx),
    givenNotice(ctx),
  ])
  const done = ctx.isSafe && doneMessages.get(ctx.query('done') ?? '')
  const { formToken, zone, session } = ctx
  const forms = html`${ownScenarioCard(rejected?.own ?? { text: '', errors: [] }, formToken)}
${giveCard(rejected?.entry ?? newEntry(session?.userName), formToken, given)}`
  return ctx.render({
    title: 'Scenarios',
    status: rejected ? 400 : 200,
    aside: mayControl ? jumps : undefined,
    body: html`<p class="lead">Load a prepared situation, and unload it again without a trace. Scenarios affect every user.</p>
${!mayControl && onlyOperators}
${errorNotice(rejected?.errors ?? [])}
${done && notice('good', done)}
${scenarioLists(Data, { formToken, zone, mayControl, shown, userName: session?.userName ?? '' })}
${mayControl && forms}`,
  })
}

const jumps = html`<a class="button plain" href="#own">Load your own</a><a class="button plain" href="#give">Set a position</a>`

/** The loaded scenario that the address names. */
async function findShown(ctx: PageContext): Promise<Shown | undefined> {
  const name = ctx.query('look')
  const found = ctx.isSafe && name ? await ctx.api.find<Details>(apiPath(name)) : undefined
  return found?.IsLoaded ? { name: found.Name, links: await linksOf(ctx, found) } : undefined
}
