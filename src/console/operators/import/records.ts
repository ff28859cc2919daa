import { plural } from '../../../core/text.ts'
import type { RunRecord } from '../../../data/api/history-schema.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { withQuery } from '../../shared/api.ts'
import { table, tag } from '../../shared/elements.ts'
import { type Reader, words } from '../../shared/format.ts'
import { changeTones, fieldTable } from '../../shared/history/history.ts'
import { valueCell } from '../../shared/history/values.ts'
import { userHref } from '../paths.ts'

/** Records with the fields that differ; those of a record that was added or removed are folded. `isDone`: they link to pages. */
export const recordTable = (caption: string, records: readonly RunRecord[], reader: Reader, isDone = false): Html =>
  html`<div class="run-records">${table<RunRecord>(
    caption,
    [
      ['Record', (record) => nameCell(record, isDone), 'name'],
      ['Change', ({ Change }) => tag(Change, changeTones[Change])],
      ['Fields', (record) => fieldsCell(record, reader)],
    ],
    records,
  )}</div>`

function nameCell({ Kind, Id, Change }: RunRecord, isDone: boolean): Html {
  const href = isDone && Change !== 'Removed' ? pages[Kind]?.(Id) : undefined
  const id = html`<bdi class="num">${Id}</bdi>`
  return html`<span class="quiet">${words(Kind)}</span> ${href ? html`<a href="${href}">${id}</a>` : id}`
}

function fieldsCell({ Change, Fields, MoreFields = 0 }: RunRecord, reader: Reader): Html {
  const more = MoreFields > 0 && html`<p class="hint">and ${plural(MoreFields, 'more field')}</p>`
  if (Change !== 'Changed')
    return html`<details class="fold"><summary>${plural(Fields.length + MoreFields, 'field')}</summary>${fieldTable(Change, Fields, { labelOf }, reader)}${more}</details>`
  return html`<dl class="field-changes">${Fields.map(
    ({ Name, Before, After }) =>
      html`<div><dt>${Name}</dt><dd><del>${shortCell(Name, Before, reader)}</del> <span aria-hidden="true">→</span> <ins>${shortCell(Name, After, reader)}</ins></dd></div>`,
  )}</dl>${more}`
}

/** Lists and objects take one line. */
const shortCell = (name: string, value: unknown, reader: Reader): HtmlValue =>
  typeof value === 'object' && value !== null
    ? html`<code>${JSON.stringify(value)}</code>`
    : valueCell(name, value, reader)

/** The names of fields, as in an import file. */
const labelOf = (parts: readonly { name: string; key: string | undefined }[]) => ({
  label: parts.map(({ name, key }) => (key === undefined ? name : `${name}[${key}]`)).join('.'),
})

/** Instruments are found by their Uic in any asset type. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  exchange: (id) => `/console/exchanges/${encodeURIComponent(id)}`,
  event: (id) => `/console/events/${encodeURIComponent(id)}`,
  instrument: (id) => withQuery('/console/instruments', { Keywords: id }),
  user: userHref,
}
