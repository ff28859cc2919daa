import { isRunNumber } from '../../../core/records/run-number.ts'
import type { RunView } from '../../../data/api/run-schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { pageLinks, table, tag } from '../../shared/elements.ts'
import { dayAndTime, words } from '../../shared/format.ts'
import { importPath } from '../paths.ts'
import { runHref, runsApiPath, undoneTag } from './data.ts'

const pageSize = 20

type Runs = Readonly<{ Data: RunView[]; __next?: string }>

/** What has changed the data, newest first. */
export async function runSection(ctx: PageContext): Promise<{ section: Html | undefined; call: string }> {
  const before = isRunNumber(ctx.query('before') ?? '') ? ctx.query('before') : undefined
  const call = withQuery(runsApiPath, { $top: pageSize, $skiptoken: before })
  const { Data, __next } = await ctx.api.get<Runs>(call)
  if (Data.length === 0 && before === undefined) return { section: undefined, call }
  const next = __next && `${importPath}?before=${Data.at(-1)?.Run}#runs`
  const section = html`<section class="flow" id="runs"><h2>Runs</h2>
<div class="runs">${runTable(ctx, Data)}</div>
${pageLinks({ 'First page': before !== undefined && `${importPath}#runs`, 'Next page': next }, { label: 'Pages of runs' })}</section>`
  return { section, call }
}

const runTable = ({ zone }: PageContext, runs: readonly RunView[]): Html =>
  table<RunView>(
    `What has changed the data, newest first, times in ${zone}`,
    [
      ['Run', ({ Run }) => html`<a class="num" href="${runHref(Run)}">${Run}</a>`, 'name'],
      ['Committed', ({ Time }) => html`<time class="quiet" datetime="${Time}">${dayAndTime(Time, zone)}</time>`],
      ['Source', ({ Source }) => html`<bdi class="source">${Source ?? 'unknown'}</bdi>`],
      ['Changed', changesText],
      ['State', stateOf],
    ],
    runs,
  )

export const stateOf = ({ UndoneBy }: RunView): Html =>
  UndoneBy === undefined ? tag('Applied', 'good') : undoneTag(UndoneBy)

function changesText({ Changes }: RunView): Html | undefined {
  if (!Changes) return undefined
  const total = (of: 'Added' | 'Changed' | 'Removed') => Changes.reduce((sum, change) => sum + change[of], 0)
  const said = (['Added', 'Changed', 'Removed'] as const)
    .filter((of) => total(of) > 0)
    .map((of) => `${total(of)} ${of.toLowerCase()}`)
  return html`${said.join(', ')} <span class="quiet">${Changes.map(({ Kind }) => words(Kind)).join(', ')}</span>`
}
