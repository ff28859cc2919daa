import type { FastifyReply } from 'fastify'
import type { Explanation } from '../../core/explain/schema.ts'
import { type Html, html } from '../../http/html/html.ts'
import { catchApiError, withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls, errorNotice, facts } from '../shared/elements.ts'
import { inputField } from '../shared/fields.ts'
import { figure } from '../shared/format.ts'
import type { PageRouter } from '../shared/router.ts'
import { explainPath, rowList, stepTable } from './why.ts'

export function explainRoutes(router: PageRouter): void {
  router.get(explainPath, showExplanation)
}

async function showExplanation(ctx: PageContext): Promise<FastifyReply> {
  const request = ctx.query('Request')?.trim() ?? ''
  const call = withQuery('/x/v1/explain', isAddress(request) ? { Request: request } : { Correlation: request })
  const outcome = request === '' ? {} : await readExplanation(ctx, call)
  const { explanation, status = 200, errors = [] } = outcome
  return ctx.render({
    title: 'Explain an answer',
    section: '/console/api',
    status,
    body: html`${requestForm(request)}${errorNotice(errors)}${explanation && explanationBody(explanation)}${request !== '' && apiCalls(call)}`,
  })
}

/** Everything else is the id of a request. */
const isAddress = (text: string): boolean => /^(?:\/|https?:)/i.test(text)

type Outcome = Readonly<{ explanation?: Explanation; status?: number; errors?: readonly string[] }>

const readExplanation = (ctx: PageContext, call: string): Promise<Outcome> =>
  ctx.api
    .get<Explanation>(call)
    .then((explanation) => ({ explanation }))
    .catch((error: unknown) => {
      const { status, messages } = catchApiError(400)(error)
      return { status, errors: messages }
    })

const requestForm = (request: string): Html =>
  html`<form class="card explain-form" action="${explainPath}" aria-label="Request">
<div class="row">${inputField('Request', 'Path and query of a GET request, or an X-Correlation', request, {
    attributes: html` maxlength="2048" autocomplete="off" spellcheck="false" placeholder="/ca/v2/events?EventTypes=DVCA"`,
  })}<button class="button">Explain</button></div>
<p class="hint">Enter a GET request for instruments, option and futures spaces, schedules or corporate actions to see what it returns for you, and by which rules. To explain any other request in the request log, such as a rejected sign-in or a rejected call of <code>/token</code>, enter the <code>X-Correlation</code> header of its response.</p>
</form>`

export function explanationBody(explanation: Explanation): Html {
  const { OperationId, Status, ErrorCode, Message, ModelState = {}, Summary, Count, Rows, Steps } = explanation
  const fields = Object.entries(ModelState).map(([field, texts]) => html`<br><code>${field}</code>: ${texts.join(' ')}`)
  return html`<section class="flow" aria-label="Explanation"><h2>${Summary}</h2>
<div class="card">${facts([
    ['Operation', OperationId && html`<code>${OperationId}</code>`],
    ['Status', html`${Status}${ErrorCode && html` <code>${ErrorCode}</code>`}`],
    ['Message', Message && html`${Message}${fields}`],
    ['Rows', Count !== undefined && figure(Count)],
  ])}</div>
${stepTable(Steps)}
${Rows.length > 0 && html`<section class="card"><h2>First rows of the answer</h2>${rowList(Rows)}</section>`}</section>`
}
