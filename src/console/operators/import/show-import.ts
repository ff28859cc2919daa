import type { FastifyReply } from 'fastify'
import type { ImportView } from '../../../data/api/import-schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { pageHeaders } from '../../../http/html/layout.ts'
import { undefinedIf } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { apiCalls, errorNotice } from '../../shared/elements.ts'
import { time } from '../../shared/format.ts'
import { renderMessage } from '../../shared/messages.ts'
import { importPath } from '../paths.ts'
import { bytesOf, callOf, isRunning, namesOf, stateTag } from './data.ts'
import { actionsOf, outcomeOf } from './outcome.ts'

/** One import: how far it is, what it would change or has changed, and what can be done with it. */
export async function showImport(ctx: PageContext, errors: readonly string[] = []): Promise<FastifyReply> {
  const call = callOf(ctx.param('ImportId'))
  const found = await ctx.api.find<ImportView>(call)
  if (!found) return notKept(ctx)
  const served = await servedRevision(ctx, found)
  // While something is in progress, the script asks for these parts alone.
  const isPart = ctx.request.headers['x-part'] === 'state'
  const aside = html`<div class="row"><span id="import-tag">${stateTag(found)}</span> <span id="import-status" class="small" role="status">${sentence(found)}</span><div id="import-actions">${actionsOf(ctx, found)}</div></div>`
  const state = stateSection(ctx, found, served, isPart)
  if (isPart) return ctx.reply.headers(pageHeaders({ scripts: true })).send(`${aside}${state}`)
  return ctx.render({
    title: namesOf(found),
    heading: html`<bdi>${namesOf(found)}</bdi>`,
    section: importPath,
    crumbs: [['Import', importPath]],
    aside,
    status: errors.length > 0 ? 409 : 200,
    body: html`${errorNotice(errors)}${state}
<p class="hint">${found.Undoes === undefined && `${bytesOf(found)}, sent at ${time(found.UploadedAt, ctx.zone)}. `}Kept until ${time(found.ExpiresAt, ctx.zone)} (${ctx.zone}).</p>
${apiCalls(call)}`,
    scripts: ['import.js'],
  })
}

/** The revision that this node serves, if the import has made one. */
async function servedRevision(ctx: PageContext, { Revision }: ImportView): Promise<number | undefined> {
  if (Revision === undefined) return undefined
  const optional = undefinedIf(({ status }) => status === 429 || status === 503)
  return (await ctx.api.get<{ Revision: number }>('/x/v1/revision').catch(optional))?.Revision
}

function notKept(ctx: PageContext): FastifyReply {
  const text = 'There is no such import. Files are kept for an hour.'
  return renderMessage(ctx, 404, 'Not found', text, ['Send files', importPath])
}

/** `data-running`: the script reads this part again until it has ended. Without script the browser loads the page again; the
 *  script must not get that, because it parses the part as a browser without script does. */
function stateSection(ctx: PageContext, found: ImportView, served: number | undefined, isPart: boolean): Html {
  const isPreparing = found.Revision !== undefined && served !== undefined && served < found.Revision
  const isOpen = isRunning(found) || isPreparing
  return html`<section id="import-state" class="flow" aria-label="State"${isOpen && html` data-running`}>
${isOpen && !isPart && html`<noscript><meta http-equiv="refresh" content="2"></noscript>`}
${outcomeOf(ctx, found, served)}</section>`
}

function sentence(found: ImportView): string {
  const { State, Errors, Message, Undoes, UndoneBy } = found
  if (Undoes !== undefined) return undoSentence(found, Undoes)
  if (State === 'Uploaded') return Message ?? 'Another import is running. Check these files when it has ended.'
  if (State === 'Checking') return 'Nothing is changed.'
  if (State === 'Applying') return 'All of it is applied, or nothing.'
  if (State === 'Applied')
    return UndoneBy === undefined ? 'The files were applied.' : 'The files were applied, then undone.'
  if (Errors.length > 0) return 'Nothing can be applied. Correct the files and send them again.'
  return Message ?? 'Nothing has been changed yet.'
}

function undoSentence({ State, Errors, Message, UndoneBy }: ImportView, run: number): string {
  if (State === 'Uploaded') return Message ?? 'Another import is running. Check again when it has ended.'
  if (State === 'Checking') return 'Nothing is changed.'
  if (State === 'Applying') return 'All of it is undone, or nothing.'
  if (State === 'Applied')
    return UndoneBy === undefined ? `Run ${run} was undone.` : `Run ${run} was undone, and the undo was reverted.`
  if (Errors.length > 0) return 'It cannot be undone. Nothing has been changed.'
  return Message ?? `Nothing has been changed yet. Undoing run ${run} does this:`
}
