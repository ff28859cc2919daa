import type { FastifyReply } from 'fastify'
import { isRunNumber } from '../../../core/records/run-number.ts'
import type { RunRecord } from '../../../data/api/history-schema.ts'
import type { ImportView } from '../../../data/api/import-schema.ts'
import type { RunView } from '../../../data/api/run-schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { catchApiError, withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { apiCalls, emptyState, facts, pageLinks, tabs } from '../../shared/elements.ts'
import { dayAndTime, type Reader, words } from '../../shared/format.ts'
import { renderMessage } from '../../shared/messages.ts'
import { importPath } from '../paths.ts'
import { pathOf, runCall, runHref, runLink } from './data.ts'
import { changeTable, undoButton } from './outcome.ts'
import { recordTable } from './records.ts'
import { stateOf } from './runs.ts'

const pageSize = 20

type Records = Readonly<{ Data: RunRecord[]; __next?: string }>

/** One run: what it changed, by kind and by record, and the way to undo it. */
export async function showRun(ctx: PageContext): Promise<FastifyReply> {
  const run = ctx.param('Run')
  const call = runCall(run)
  const found = isRunNumber(run) ? await ctx.api.find<RunView>(call) : undefined
  if (!found) return notThere(ctx)
  const kind = found.Changes?.find(({ Kind }) => Kind === ctx.query('Kind'))?.Kind
  const after = isRunNumber(ctx.query('after') ?? '') ? ctx.query('after') : undefined
  const recordsCall = withQuery(`${call}/records`, { Kind: kind, $top: pageSize, $skiptoken: after })
  const records = kind === 'app' ? { Data: [] } : await ctx.api.get<Records>(recordsCall)
  const here = (more: { after?: string | undefined } = {}) => withQuery(runHref(run), { Kind: kind, ...more })
  return ctx.render({
    title: `Run ${run}`,
    section: importPath,
    crumbs: [['Import', importPath]],
    aside: html`${kindTabs(found, kind)}${found.UndoneBy === undefined && undoButton(found.Run, ctx.formToken)}`,
    body: html`<section class="flow"><h2 class="unseen">Records</h2>
${records.Data.length > 0 ? recordTable('Records that the run changed', records.Data, ctx.reader, true) : nothing(kind)}
${pageLinks({ 'First page': after !== undefined && here(), 'Next page': records.__next && here({ after: cursorOf(records.__next) }) })}</section>
<section class="card flow" aria-label="What it changed">${summary(found, ctx.reader)}
${found.Changes && found.Changes.length > 0 && changeTable('What was changed, by kind', found.Changes)}</section>
${apiCalls(call, recordsCall)}`,
  })
}

const cursorOf = (next: string): string | undefined => new URL(next).searchParams.get('$skiptoken') ?? undefined

const notThere = (ctx: PageContext): FastifyReply =>
  renderMessage(ctx, 404, 'Not found', 'There is no such run, or it is no longer in the history.', [
    'Runs',
    `${importPath}#runs`,
  ])

const summary = (found: RunView, { zone }: Reader): Html =>
  facts([
    ['State', stateOf(found)],
    [
      'Committed',
      html`<time datetime="${found.Time}">${dayAndTime(found.Time, zone)}</time> <span class="quiet">${zone}</span>`,
    ],
    ['Source', found.Source && html`<bdi>${found.Source}</bdi>`],
    ['Undoes', found.Undoes !== undefined && runLink(found.Undoes)],
    ['Revision', found.Revision !== undefined && html`<span class="num">${found.Revision}</span>`],
    ['Revision of events', found.EventRevision !== undefined && html`<span class="num">${found.EventRevision}</span>`],
  ])

function kindTabs({ Run, Changes = [] }: RunView, current: string | undefined): Html | undefined {
  if (Changes.length < 2) return undefined
  const tab = (name: string, Kind?: string) => ({
    name,
    href: withQuery(runHref(Run), { Kind }),
    current: current === Kind,
  })
  return tabs('Kind of record', [tab('All'), ...Changes.map(({ Kind }) => tab(words(Kind), Kind))])
}

const nothing = (kind: string | undefined): Html =>
  kind === 'app'
    ? emptyState('Apps have no history.', 'What was changed in an app is on its page, under Activity.')
    : emptyState('No records to show.', 'The run changed elections or apps only, or changed records back.')

/** Begins with a check, which shows what would change. */
export async function undoRun(ctx: PageContext): Promise<FastifyReply> {
  const run = ctx.param('Run')
  try {
    if (!isRunNumber(run)) return notThere(ctx)
    const { ImportId } = await ctx.api.send<ImportView>('POST', `${runCall(run)}/undo`)
    return ctx.redirect(pathOf(ImportId))
  } catch (error) {
    catchApiError(404)(error)
    return notThere(ctx)
  }
}
