import { plural } from '../../../core/text.ts'
import type { RunRecord } from '../../../data/api/history-schema.ts'
import type { ImportView } from '../../../data/api/import-schema.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { bulletList, type Column, type Link, table } from '../../shared/elements.ts'
import { postButton } from '../../shared/fields.ts'
import { figure, words } from '../../shared/format.ts'
import { clientsPath, importPath } from '../paths.ts'
import { changesIn, isRunning, pathOf, runHref, runLink } from './data.ts'
import { recordTable } from './records.ts'

type Change = ImportView['Changes'][number]

/** The records come first: they are what is checked before the import is applied. */
export function outcomeOf(ctx: PageContext, found: ImportView, served: number | undefined): Html {
  if (isRunning(found)) return progress(found)
  const { State, Errors, Notes, Changes, Records } = found
  const warnings = warningsOf(found)
  const others = Notes.filter((note) => !isWarning(note))
  return html`${Errors.length > 0 && (found.Undoes === undefined ? sentences('Errors', Errors) : bulletList(Errors))}
${State === 'Applied' && afterwards(ctx, found, served)}
${Records && Records.length > 0 && preview(found, Records, ctx)}
${warnings.length > 0 && html`<div id="warnings">${sentences('Warnings', warnings)}</div>`}
${Changes.length > 0 && changeTable(State === 'Applied' ? 'What was changed, by kind' : 'What would change, by kind', Changes)}
${Changes.length > 0 && changesIn(found) === 0 && html`<p>The data has all of it already: nothing ${State === 'Applied' ? 'was' : 'would be'} changed.</p>`}
${others.length > 0 && bulletList(others)}`
}

/** What can be done with it, next to its name: in view however many records there are. */
export function actionsOf(ctx: PageContext, found: ImportView): Html | undefined {
  if (isRunning(found) || found.State === 'Applied') return undefined
  const warnings = warningsOf(found).length
  return html`${warnings > 0 && html`<a class="small" href="#warnings">${plural(warnings, 'warning')}</a>`}${actions(ctx, found)}`
}

const warningsOf = ({ Notes }: ImportView): string[] =>
  Notes.filter(isWarning).map((note) => note.slice(warningMark.length))

/** What an import or an undo would change. */
function preview(found: ImportView, records: readonly RunRecord[], { reader }: PageContext): Html {
  const all = changesIn(found)
  const isPart = all > records.length
  return html`${recordTable('Records that would change', records, reader)}${isPart && html`<p class="hint">The first ${figure(records.length)} of ${figure(all)} records.</p>`}`
}

function progress({ Progress }: ImportView): Html {
  if (!Progress) return html`<p class="quiet">Starting…</p>`
  const { Phase, Records, Percent } = Progress
  return html`<label class="import-progress"><span>${words(Phase)}: ${plural(Records, 'record')}</span><progress max="100"${Percent !== undefined && html` value="${Percent}"`}></progress></label>`
}

export function changeTable(
  caption: string,
  changes: readonly Change[],
  kindCell: (kind: string) => HtmlValue = words,
): Html {
  const count = (head: keyof Omit<Change, 'Kind'>): Column<Change> => [head, (row) => figure(row[head]), 'figure']
  return html`<div class="import-changes">${table<Change>(
    caption,
    [
      ['Kind', ({ Kind }) => kindCell(Kind), 'name'],
      count('Added'),
      count('Changed'),
      count('Removed'),
      count('Unchanged'),
    ],
    changes,
  )}</div>`
}

const warningMark = 'Warning: '
const isWarning = (note: string): boolean => note.startsWith(warningMark)

type Sentence = Readonly<{ line: string; what: string; text: string }>

/** `a.ndjson:2 event X, field Y: Is required.` in three parts; any other sentence is a text alone. */
export function partsOf(sentence: string): Sentence {
  const [, line, what = '', text] = /^(.*?:\d+)(?: ((?:(?!: ).)+))?: (.*)$/s.exec(sentence) ?? []
  return line === undefined || text === undefined ? { line: '', what: '', text: sentence } : { line, what, text }
}

const sentences = (title: string, all: readonly string[]): Html =>
  html`<div class="import-lines">${table<Sentence>(
    title,
    [
      ['Line', ({ line }) => html`<span class="num">${line}</span>`],
      ['Record', ({ what }) => html`<bdi>${what}</bdi>`, 'name'],
      [title === 'Errors' ? 'Error' : 'Warning', ({ text }) => text],
    ],
    all.map(partsOf),
  )}</div>`

function actions({ formToken }: PageContext, found: ImportView): Html {
  const { ImportId, State, Errors, Undoes } = found
  const changes = changesIn(found)
  const path = pathOf(ImportId)
  const canApply = State === 'Checked' && Errors.length === 0 && changes > 0
  if (Undoes !== undefined)
    return html`${canApply && postButton(`${path}/apply`, formToken, `Undo run ${Undoes}: ${plural(changes, 'change')}`, 'button danger')}
${!canApply && postButton(`${path}/check`, formToken, 'Check again', 'button plain')}
${postButton(`${path}/delete`, formToken, 'Cancel', 'button plain')}`
  return html`${canApply && postButton(`${path}/apply`, formToken, `Apply ${plural(changes, 'change')}`)}
${Errors.length > 0 && html`<a class="button" href="${importPath}">Send other files</a>`}
${postButton(`${path}/check`, formToken, State === 'Uploaded' ? 'Check files' : 'Check again', canApply || Errors.length > 0 ? 'button plain' : 'button')}
${postButton(`${path}/delete`, formToken, 'Delete files', 'button plain')}`
}

const pages: Readonly<Record<string, Link>> = {
  calendar: ['Exchanges', '/console/exchanges'],
  exchange: ['Exchanges', '/console/exchanges'],
  instrument: ['Instruments', '/console/instruments'],
  optionRoot: ['Instruments', '/console/instruments'],
  event: ['Corporate actions', '/console/events'],
  app: ['Apps', '/console/apps'],
  ...Object.fromEntries(
    ['client', 'account', 'user', 'accessRight', 'position'].map((kind) => [kind, ['Clients', clientsPath]]),
  ),
}

/** Where to see what was changed, and how to undo it. */
function afterwards({ formToken }: PageContext, found: ImportView, served: number | undefined): Html {
  const { Changes, Revision, Run, UndoneBy } = found
  const links = new Map(Changes.flatMap(({ Kind }) => (pages[Kind] ? [pages[Kind]] : [])))
  const isServed = Revision !== undefined && served !== undefined && served >= Revision
  const run =
    Run !== undefined && html`This was ${runLink(Run)}: see its records${UndoneBy === undefined && ', or undo it'}.`
  const revision =
    Revision !== undefined && html`${isServed ? 'This node serves' : 'This node is preparing'} revision ${Revision}.`
  return html`${(run || revision) && html`<p>${run} ${revision}</p>`}
<div class="row">${[...links].map(([name, href]) => html`<a class="button plain" href="${href}">${name}</a>`)}<a class="button plain" href="${importPath}">Send more files</a>${Run !== undefined && UndoneBy === undefined && undoButton(Run, formToken)}</div>`
}

/** Leads to what would change, which is confirmed there. */
export const undoButton = (run: number, formToken: Html): Html =>
  postButton(`${runHref(run)}/undo`, formToken, 'Undo…', 'button plain')
