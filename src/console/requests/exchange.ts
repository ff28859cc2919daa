import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../http/html/html.ts'
import { isWhole } from '../../http/request-log/rules/secrets.ts'
import { explainHref } from '../explain/why.ts'
import { ApiError, catchApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls, codeBlock, copyable, facts, type Link, notice } from '../shared/elements.ts'
import { postButton } from '../shared/fields.ts'
import { renderMessage } from '../shared/messages.ts'
import { curlOf } from './curl.ts'
import {
  apiPath,
  entryPath,
  listPath,
  type Names,
  readNames,
  readSecretName,
  repeatedPath,
  type WholeExchange,
} from './data.ts'
import { nameOf, statusTag, timeCell } from './elements.ts'

const listLink: Link = ['Request log', listPath]
const callOf = (ctx: PageContext): string => `${apiPath}/${encodeURIComponent(ctx.param('Id'))}`

/** Wraps a handler: an entry that is gone and one of another client get the same page. */
export const orGone =
  (handler: (ctx: PageContext) => Promise<FastifyReply>) =>
  (ctx: PageContext): Promise<FastifyReply> =>
    handler(ctx).catch((error: unknown) => {
      const { status } = catchApiError(404)(error)
      const text = 'There is no such request in the log of this node. It keeps only the latest ones.'
      return renderMessage(ctx, status, 'Not found', text, ['Show the latest requests', listPath])
    })

export async function showExchange(ctx: PageContext): Promise<FastifyReply> {
  const call = callOf(ctx)
  const exchange = await ctx.api.get<WholeExchange>(call)
  const [names, secret] = await Promise.all([readNames(ctx), readSecretName(ctx, exchange)])
  const { Method, Path, Request, Response } = exchange
  return ctx.render({
    title: `${Method} ${Path.split('?', 1)[0]}`,
    crumbs: [listLink],
    aside: statusTag(exchange.Status),
    body: html`${ctx.query('done') === 'again' && notice('good', 'Sent again as you, by the app of the console. This is the new request with its response.')}
<section class="card"><h2>Summary</h2>${summary(ctx, exchange, names, secret)}${actions(ctx, exchange)}</section>
<section class="card"><h2>Copy as curl</h2>${curl(ctx, exchange)}</section>
${message('Request', Request)}${message('Response', Response)}${apiCalls(call)}`,
  })
}

function summary({ zone }: PageContext, exchange: WholeExchange, { apps, users }: Names, secret?: string): Html {
  const { Path, Fault, ErrorCode, Reason, Time, RealTime, Milliseconds } = exchange
  return facts([
    ['Path', html`<code>${Path}</code>`],
    ['Error', ErrorCode && html`<code>${ErrorCode}</code> ${Reason}`],
    ['Injected fault', Fault],
    ['Time', html`${timeCell(Time, zone)} <span class="quiet">${zone}</span>`],
    ['Real time', Time.slice(0, 16) !== RealTime.slice(0, 16) && timeCell(RealTime, zone)],
    ['Duration', `${Milliseconds.toFixed(1)} ms`],
    ['App', nameOf(apps, exchange.AppKey)],
    ['User', nameOf(users, exchange.UserKey)],
    ['Client', exchange.ClientKey && html`<code>${exchange.ClientKey}</code>`],
    ['Session', exchange.SessionId && html`<code>${exchange.SessionId}</code>`],
    ['Secret', secret],
    ['Address', exchange.Address],
    ['Request ID', copyable(exchange.RequestId, 'the request ID')],
  ])
}

function actions(ctx: PageContext, exchange: WholeExchange): Html | undefined {
  const { Id } = exchange
  const canRepeat = repeatedPath(ctx.deps, exchange) !== undefined
  const explained = explainedAs(ctx, exchange)
  if (!canRepeat && explained === undefined) return undefined
  const note = canRepeat && exchange.AppKey !== ctx.deps.appKey && repeatNote(exchange)
  return html`<div class="row request-actions">${canRepeat && postButton(`${entryPath(Id)}/again`, ctx.formToken, 'Send again')}${
    explained !== undefined && html`<a class="button plain" href="${explainHref(explained)}">Explain</a>`
  }</div>${note}`
}

const repeatNote = ({ Fault }: WholeExchange): Html =>
  html`<p class="hint">“Send again” sends it as you, by the app of the console.${Fault !== undefined && ' Faults of other apps do not apply to it, so the response may differ.'}</p>`

/** By its operation as of now, or else, for one that was rejected or met a fault, by its entry in the log. */
function explainedAs({ deps }: PageContext, { Id, Method, Path, ErrorCode, Fault }: WholeExchange): string | undefined {
  if (Fault !== undefined) return Id
  if (Method === 'GET' && isWhole(Path) && deps.isExplained(Path.split('?', 1)[0] ?? '')) return Path
  return ErrorCode === undefined ? undefined : Id
}

/** Sends a GET request again with the session of the reader, and shows its entry. Nothing else is ever sent. */
export async function sendAgain(ctx: PageContext): Promise<FastifyReply> {
  const path = repeatedPath(ctx.deps, await ctx.api.get<WholeExchange>(callOf(ctx)))
  if (path === undefined)
    throw new ApiError(400, 'Only GET requests to the API can be sent again, and only whole ones.')
  await ctx.api.repeat(path)
  // The call has the request ID of this page.
  return ctx.redirect(`${entryPath(ctx.request.id)}?done=again`)
}

function curl({ deps: { publicUrl } }: PageContext, exchange: WholeExchange): Html {
  const { Path, Request } = exchange
  const isComplete = isWhole(Path) && !Request.IsCut && isWhole(Request.Body ?? '')
  return html`${codeBlock(curlOf(publicUrl, exchange), 'as curl')}
<p class="hint">The log keeps no credentials, so set the shell variables first.${!isComplete && ' It also shortened or replaced parts of this request: complete them.'}</p>`
}

function message(title: string, { Headers, Body, IsCut }: WholeExchange['Request']): Html {
  const lines = Headers.map(({ Name, Value }) => `${Name}: ${Value}`).join('\n')
  return html`<section class="card request-message"><h2>${title}</h2>
${lines === '' ? html`<p class="quiet">No headers that may be shown.</p>` : codeBlock(lines, `the headers of the ${title.toLowerCase()}`)}
${Body !== undefined && codeBlock(pretty(Body), `the body of the ${title.toLowerCase()}`)}
${IsCut && html`<p class="hint">Only the first 16 KB of the body were kept.</p>`}</section>`
}

/** JSON on several lines, anything else unchanged. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
