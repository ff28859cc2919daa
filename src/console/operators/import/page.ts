import type { FastifyReply } from 'fastify'
import type { ImportView } from '../../../data/api/import-schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { catchApiError } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { apiCalls, doneNotice, table } from '../../shared/elements.ts'
import { time } from '../../shared/format.ts'
import { importPath } from '../paths.ts'
import { apiPath, bytesOf, callOf, namesOf, pathOf, runLink, stateTag } from './data.ts'
import { filesOf, importForm, nothingSent, type Rejected } from './form.ts'
import { runSection } from './runs.ts'
import { showImport } from './show-import.ts'

const doneTexts: Readonly<Record<string, string>> = {
  deleted: 'The files were deleted.',
  cancelled: 'Nothing was undone.',
}

export async function showImports(ctx: PageContext, rejected: Rejected = nothingSent): Promise<FastifyReply> {
  const [{ Data }, runs] = await Promise.all([ctx.api.get<{ Data: ImportView[] }>(apiPath), runSection(ctx)])
  return ctx.render({
    title: 'Import',
    status: rejected.errors.length > 0 ? 400 : 200,
    body: html`${doneNotice(doneTexts[ctx.query('done') ?? ''])}${importForm(rejected, ctx.formToken)}
${Data.length > 0 && html`<section class="flow"><h2>Imports of the last hour</h2>${importTable(ctx, Data)}</section>`}
<p class="hint">Files are kept encrypted for one hour, the newest five only. <a href="/console/docs/data">What records look like</a>.</p>
${runs.section}
${apiCalls(apiPath, runs.call)}`,
    scripts: ['import.js'],
  })
}

const importTable = ({ zone }: PageContext, rows: readonly ImportView[]): Html =>
  table<ImportView>(
    `Your imports, newest first, times in ${zone}`,
    [
      ['Files', (row) => html`<a href="${pathOf(row.ImportId)}">${namesOf(row)}</a>`, 'name'],
      ['Sent', ({ UploadedAt }) => time(UploadedAt, zone)],
      ['Size', (row) => row.Files.length > 0 && bytesOf(row), 'figure'],
      ['Run', ({ Run }) => Run !== undefined && runLink(Run)],
      ['State', (row) => stateTag(row)],
    ],
    rows,
  )

export async function sendFiles(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const given = { text: form.get('Text') ?? '', format: form.get('Format') ?? 'ndjson' }
  const files = filesOf(ctx.request.body, form)
  if (!files) return showImports(ctx, { ...given, errors: ['Choose at least one file, or paste text.'] })
  try {
    const { ImportId } = await ctx.api.sendForm<ImportView>(apiPath, files)
    return ctx.redirect(pathOf(ImportId))
  } catch (error) {
    const { modelState, messages } = catchApiError(400, 413, 429)(error)
    return showImports(ctx, { ...given, errors: modelState.File ?? messages })
  }
}

/** Another import may be running; then the page says so, and nothing is lost. */
export const startRun =
  (wish: 'check' | 'apply') =>
  async (ctx: PageContext): Promise<FastifyReply> => {
    const importId = ctx.param('ImportId')
    try {
      await ctx.api.send('POST', `${callOf(importId)}/${wish}`)
    } catch (error) {
      return showImport(ctx, catchApiError(409)(error).messages)
    }
    return ctx.redirect(pathOf(importId))
  }

export async function discard(ctx: PageContext): Promise<FastifyReply> {
  const call = callOf(ctx.param('ImportId'))
  const found = await ctx.api.find<ImportView>(call)
  try {
    await ctx.api.send('DELETE', call)
  } catch (error) {
    return showImport(ctx, catchApiError(409)(error).messages)
  }
  return ctx.redirect(`${importPath}?done=${found?.Undoes === undefined ? 'deleted' : 'cancelled'}`)
}
