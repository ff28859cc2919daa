import type { ExplainedRow, Explanation, ExplanationStep } from '../../core/explain/schema.ts'
import { type Html, html } from '../../http/html/html.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { hiddenText, table } from '../shared/elements.ts'
import { figure } from '../shared/format.ts'

export const explainPath = '/console/explain'
/** Takes the path and query of a request, or the id of one in the request log. */
export const explainHref = (request: string): string => `${explainPath}?${new URLSearchParams({ Request: request })}`

/** Undefined if it cannot be explained now: the page that asks has its own content. */
const findExplanation = (ctx: PageContext, request: string): Promise<Explanation | undefined> =>
  ctx.api
    .get<Explanation>('/x/v1/explain', { Request: request })
    .catch(undefinedIf(({ status }) => [400, 404, 429, 503].includes(status)))

/** Why the API answers a request as it does: a folded section. */
export async function whyOf(ctx: PageContext, request: string): Promise<Html | undefined> {
  const explanation = await findExplanation(ctx, request)
  return explanation && whySection(explanation)
}

export function whySection(explanation: Explanation): Html {
  return html`<details class="fold explained"><summary>Why?</summary>
<p>${explanation.Summary}</p>
${stepTable(explanation.Steps)}
<p class="small"><a href="${explainHref(explanation.Request)}">Open this explanation</a></p></details>`
}

export const stepTable = (steps: readonly ExplanationStep[]): Html =>
  html`<div class="explained-steps">${table<ExplanationStep>(
    'Steps',
    [
      ['Rule', ruleCell],
      ['In', ({ RowsIn }) => RowsIn !== undefined && figure(RowsIn), 'figure'],
      ['Out', ({ RowsOut }) => RowsOut !== undefined && figure(RowsOut), 'figure'],
    ],
    steps,
  )}</div>`

function ruleCell({ Title, Text, Section, RowsIn = 0, RowsOut = 0, Removed = [] }: ExplanationStep): Html {
  const others = RowsIn - RowsOut - Removed.length
  return html`<strong>${Title}</strong> <span class="quiet num">${Section}</span><br>${Text}
${Removed.length > 0 && rowList(Removed)}
${Removed.length > 0 && others > 0 && html`<p class="quiet small">and ${figure(others)} more</p>`}`
}

/** Ids and names with their reasons. */
export const rowList = (rows: readonly ExplainedRow[]): Html =>
  html`<ul class="explained-rows">${rows.map(
    ({ Id, Name, Reason }) =>
      html`<li><span><bdi class="num">${Id}</bdi>${Name && html` <bdi class="quiet">${Name}</bdi>`}</span>${hiddenText(': ')}<span>${Reason}</span></li>`,
  )}</ul>`
