import { plural } from '../../../core/text.ts'
import type { HistoryEntry } from '../../../data/api/history-schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { withQuery } from '../api.ts'
import type { PageContext } from '../context.ts'
import { apiCalls, emptyState, pageLinks, type Tone, tag } from '../elements.ts'
import { dayAndTime, type Reader } from '../format.ts'
import { labelWithin, type PathPart, partsOf, storyOf } from './rules/wording.ts'
import { isTime, shortText, valueCell } from './values.ts'

const pageSize = 20

type Field = HistoryEntry['Fields'][number]
/** `group`: the asset type or option that the field belongs to. `sentence`: what the field means. */
export type Label = Readonly<{ group?: string | undefined; label: string; sentence?: string | undefined }>

/** What the pages of instruments and events have of their own. */
export type HistoryOptions = Readonly<{
  kind: 'instrument' | 'event'
  id: string
  labelOf(parts: readonly PathPart[]): Label
  /** The address of the page from a version on. */
  href(skip?: number): string
  /** Says in words what each version changed. */
  hasStory?: boolean
  /** The hint if the API lists no history to the caller, where the record may be visible to others. */
  ifUnknown?: string | undefined
  /** Fields that change with every version. They are shown if nothing else differs. */
  lesser?: readonly string[]
}>

type Loaded = Readonly<{ call: string; skip: number; feed: { Data: HistoryEntry[]; __next?: string } | undefined }>

async function readVersions(ctx: PageContext, { kind, id }: HistoryOptions): Promise<Loaded> {
  const skip = Math.trunc(Math.min(Math.max(Number(ctx.query('$skip')) || 0, 0), 1_000_000))
  const call = withQuery(`/x/v1/history/${kind}/${encodeURIComponent(id)}`, {
    $top: pageSize,
    $skip: skip || undefined,
  })
  return { call, skip, feed: await ctx.api.find(call) }
}

/** The versions of a record, newest first, for a page that has found the record itself. */
export async function historySection(ctx: PageContext, options: HistoryOptions): Promise<Html> {
  const { call, skip, feed } = await readVersions(ctx, options)
  const { Data = [], __next } = feed ?? {}
  const links = { 'First page': skip > 0 && options.href(), 'Next page': __next && options.href(skip + pageSize) }
  return html`<section class="flow history"><h2 class="unseen">Versions</h2>
${Data.length > 0 ? versionList(Data, options, ctx.reader) : nothing(options, feed === undefined, skip > 0 || __next !== undefined)}
${pageLinks(links)}</section>
${apiCalls(call)}`
}

function nothing({ kind, ifUnknown }: HistoryOptions, isUnknown: boolean, isPart: boolean): Html {
  if (isUnknown && ifUnknown) return emptyState('No versions to show.', ifUnknown)
  if (isPart)
    return emptyState('No changes on this page.', 'The versions of this page differ in nothing that you may see.')
  return emptyState(
    `This ${kind} has not changed.`,
    `When an import, a scenario or a restored snapshot changes this ${kind}, a version appears here: when it changed, what changed it, and each field before and after.`,
  )
}

const versionList = (entries: readonly HistoryEntry[], options: HistoryOptions, reader: Reader): Html =>
  html`<ol class="versions">${entries.map((entry) => html`<li class="card">${version(entry, options, reader)}</li>`)}</ol>
<p class="hint">Newest first. Times are in ${reader.zone}. A version has its real time, not that of the service's clock.</p>`

export const changeTones: Readonly<Record<HistoryEntry['Change'], Tone>> = {
  Added: 'good',
  Changed: 'accent',
  Removed: 'bad',
}

function version(entry: HistoryEntry, options: HistoryOptions, reader: Reader): Html {
  const { Change, MoreFields = 0, Reference, Revision, Run, Source, Time } = entry
  const fields = shownFields(entry.Fields, options.lesser)
  const more = MoreFields > 0 && html`<p class="hint">${plural(MoreFields, 'more field')} changed.</p>`
  const rows = html`${fieldTable(Change, fields, options, reader)}${more}`
  return html`<div class="version-head"><h3><time datetime="${Time}">${dayAndTime(Time, reader.zone)}</time></h3>${tag(Change, changeTones[Change])}${
    Source !== undefined && html`<span>Source <bdi>${Source}</bdi></span>`
  }${Reference !== undefined && html`<span>Message <bdi class="num">${Reference}</bdi></span>`}${
    Revision !== undefined && html`<span>Revision <span class="num">${Revision}</span></span>`
  }<span>Run <span class="num">${Run}</span></span></div>
${options.hasStory && html`<p class="story"><bdi>${storyIn(entry, fields, options, reader)}</bdi></p>`}
${Change === 'Changed' ? rows : html`<details class="fold"><summary>${plural(fields.length + MoreFields, 'field')}</summary>${rows}</details>`}`
}

function shownFields(fields: readonly Field[], lesser: readonly string[] = []): readonly Field[] {
  const main = fields.filter(({ Name }) => !lesser.includes(Name))
  return main.length > 0 ? main : fields
}

function storyIn(
  { Change, MoreFields = 0, Reference, Source }: HistoryEntry,
  fields: readonly Field[],
  { labelOf }: HistoryOptions,
  reader: Reader,
): string {
  return storyOf({
    change: Change,
    fields: fields.map(({ Name, Before, After }) => ({
      group: undefined,
      ...labelOf(partsOf(Name)),
      before: shortText(Name, Before, reader),
      after: shortText(Name, After, reader),
      isTime: isTime(Before, After),
    })),
    moreFields: MoreFields,
    reference: Reference,
    source: Source,
  })
}

/** Before and after next to each other, on a narrow screen one below the other. Of a record that was added or removed,
 *  there is one of them. */
export function fieldTable(
  change: HistoryEntry['Change'],
  fields: readonly Field[],
  { labelOf }: Pick<HistoryOptions, 'labelOf'>,
  reader: Reader,
): Html {
  const sides = (['Before', 'After'] as const).filter((side) => side !== unused[change])
  const row = (field: Field) => {
    const { group, label, sentence } = labelOf(partsOf(field.Name))
    const hint = sentence ? `${field.Name}: ${sentence}` : field.Name
    return html`<tr><th scope="row"><span class="field-name" title="${hint}">${labelWithin(group, label)}</span></th>${sides.map(
      (side) => html`<td><span class="which">${side}</span>${valueCell(field.Name, field[side], reader)}</td>`,
    )}</tr>`
  }
  return html`<table class="differences"><caption class="unseen">Fields that differ</caption>
<thead><tr><th scope="col">Field</th>${sides.map((side) => html`<th scope="col">${side}</th>`)}</tr></thead>
<tbody>${fields.map(row)}</tbody></table>`
}

const unused: Readonly<Record<HistoryEntry['Change'], 'Before' | 'After' | undefined>> = {
  Added: 'Before',
  Changed: undefined,
  Removed: 'After',
}
