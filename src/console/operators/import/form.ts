import { type Html, html } from '../../../http/html/html.ts'
import { limits } from '../../../http/limits/buckets.ts'
import { errorNotice } from '../../shared/elements.ts'
import { type Choice, selectField, textArea } from '../../shared/fields.ts'
import { importPath } from '../paths.ts'

const megabytes = limits.uploadBytes / 1024 / 1024
export const tooLarge = `Send at most ${megabytes} MB. Import larger files with the command line: refdesk import FILE.`

/** What a pasted text would be called as a file. */
const formats: readonly Choice[] = [
  ['ndjson', 'NDJSON'],
  ['csv', 'CSV'],
  ['xml', 'seev.031 (XML)'],
  ['fin', 'MT564'],
]

export type Rejected = Readonly<{ text: string; format: string; errors: readonly string[] }>
export const nothingSent: Rejected = { text: '', format: 'ndjson', errors: [] }

export function importForm({ text, format, errors }: Rejected, formToken: Html): Html {
  return html`${errorNotice(errors)}
<form class="card flow import-form" method="post" enctype="multipart/form-data" action="${importPath}" data-max-bytes="${limits.uploadBytes}" data-too-large="${tooLarge}">
<label class="drop"><strong>Choose files<span class="droppable" hidden>, or drop them here</span></strong>
<span class="quiet small">NDJSON, CSV, seev.031 or MT564, also compressed (.gz). At most ${megabytes} MB.</span>
<input type="file" name="File" multiple accept=".ndjson,.jsonl,.csv,.xml,.fin,.mt564,.gz"></label>
<details class="fold"${text !== '' && html` open`}><summary>Paste text instead</summary><div class="flow">
${textArea('Text', 'Records or messages', text, { attributes: html` class="num" rows="6" spellcheck="false" autocapitalize="none"`, hint: 'Ignored if you choose files.' })}
${selectField('Format', 'Format', formats, format)}</div></details>
<div class="row"><button class="button">Check files</button><span class="quiet small" data-said role="status">Nothing is changed until you apply it.</span></div>${formToken}</form>`
}

/** The files of a form, or else its text as a file. Undefined if it has neither. */
export function filesOf(body: unknown, form: URLSearchParams): FormData | undefined {
  const sent = new FormData()
  const files = body instanceof FormData ? body.getAll('File') : []
  for (const file of files) if (typeof file !== 'string' && file.name !== '') sent.append('File', file, file.name)
  const text = form.get('Text') ?? ''
  const format = formats.some(([known]) => known === form.get('Format')) ? form.get('Format') : 'ndjson'
  if (!sent.has('File') && text.trim() !== '') sent.append('File', new Blob([text]), `pasted.${format}`)
  return sent.has('File') ? sent : undefined
}
