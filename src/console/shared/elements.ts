import { type Html, type HtmlValue, html } from '../../http/html/html.ts'

/** The parts that pages are made of. They look as public/refdesk.css says, and every page uses the same. */

export type Tone = 'good' | 'warn' | 'bad' | 'accent'

/** A word with a colour; the word alone says it too. */
export const tag = (word: HtmlValue, tone?: Tone): Html => html`<span class="tag${tone && ` ${tone}`}">${word}</span>`

/** Facts as a two-column list; a fact without a value is left out. */
export function facts(rows: readonly (readonly [name: HtmlValue, value: HtmlValue])[]): Html {
  const told = rows.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
  return html`<dl class="facts">${told.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

export type Column<Row> = Readonly<{
  head: HtmlValue
  cell: (row: Row) => HtmlValue
  /** Figures stand right-aligned, in numerals of one width. */
  isFigure?: boolean
  /** The cell that names the row. */
  isRowHead?: boolean
}>

/** A table in its own frame, which scrolls there when it is wide. `caption` is read out, and seen only where `visible`. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: { visible?: boolean; sortable?: boolean; rowClass?: (row: Row) => string | undefined } = {},
): Html {
  const kind = ({ isFigure }: Column<Row>) => isFigure && html` class="n"`
  // What a column's cells begin and end with is made once, not for every row.
  const cells = columns.map((column) => ({
    begin: column.isRowHead ? html`<th scope="row"${kind(column)}>` : html`<td${kind(column)}>`,
    text: column.cell,
    end: column.isRowHead ? html`</th>` : html`</td>`,
  }))
  const line = (row: Row) => {
    const name = options.rowClass?.(row)
    return html`<tr${name && html` class="${name}"`}>${cells.map(({ begin, text, end }) => [begin, text(row), end])}</tr>`
  }
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${options.sortable && html` data-sortable`}>
<caption${!options.visible && html` class="unseen"`}>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${kind(column)}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map(line)}</tbody></table></div>`
}

/** Tabs are links: the address is the state. */
export function tabs(
  label: string,
  all: readonly { href: string; name: HtmlValue; note?: HtmlValue; current: boolean }[],
): Html {
  return html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ href, name, note, current }) =>
      html`<a href="${href}"${current && html` aria-current="page"`}>${name}${note && html` <small>${note}</small>`}</a>`,
  )}</nav>`
}

/** Nothing to show, said kindly: a sentence, what to do, a button. */
export function emptyState(sentence: string, whatToDo: HtmlValue, action?: { href: string; name: string }): Html {
  return html`<div class="empty"><p><strong>${sentence}</strong></p><p class="quiet">${whatToDo}</p>${
    action && html`<p><a class="button plain" href="${action.href}">${action.name}</a></p>`
  }</div>`
}

export function notice(tone: 'good' | 'warn' | 'bad', body: HtmlValue): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${body}</div>`
}

/** What was said against an entry, above the form that it was made in. */
export function refusals(sentences: readonly string[]): Html | undefined {
  if (sentences.length === 0) return undefined
  return notice(
    'bad',
    sentences.length === 1 ? sentences[0] : html`<ul>${sentences.map((one) => html`<li>${one}</li>`)}</ul>`,
  )
}

/** A text in monospace with a button that copies it, where there is script. */
export function copyable(text: string, label: string): Html {
  return html`<span class="copyable"><code>${text}</code><button class="copy" type="button" data-copy="${text}">Copy<span class="unseen"> ${label}</span></button></span>`
}

/** A block of code with the same button. */
export function codeBlock(text: string, label: string): Html {
  return html`<div class="code"><pre tabindex="0"><code>${text}</code></pre><button class="copy" type="button" data-copy="${text}">Copy<span class="unseen"> ${label}</span></button></div>`
}

export type Choice = Readonly<{ value: string; name: string }>

export function selectField(name: string, label: string, choices: readonly Choice[], chosen: string | undefined): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${choices.map(
    ({ value, name }) => html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${name}</option>`,
  )}</select></div>`
}

export function inputField(
  name: string,
  label: string,
  value: string | undefined,
  more: { type?: string; attributes?: Html } & FieldWords = {},
): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="${more.type ?? 'text'}" value="${value ?? ''}"${described(name, more)}${more.attributes}>${fieldWords(name, more)}</div>`
}

/** What stands below a field: what was said against it, and what helps to fill it. */
export type FieldWords = Readonly<{ against?: readonly string[] | undefined; hint?: HtmlValue }>

export function fieldWords(name: string, { against = [], hint }: FieldWords): Html {
  return html`${against.length > 0 && html`<p class="field-against" id="e-${name}" role="alert">${against.join(' ')}</p>`}${hint && html`<p class="hint" id="h-${name}">${hint}</p>`}`
}

/** The same for who does not see it: the attributes of the field. */
export function described(name: string, { against = [], hint }: FieldWords): Html {
  const ids = [against.length > 0 && `e-${name}`, hint && `h-${name}`].filter(Boolean).join(' ')
  return html`${against.length > 0 && html` aria-invalid="true"`}${ids && html` aria-describedby="${ids}"`}`
}

/** Something that is done only after a second thought, without script: opens to the question and its button. */
export function confirmed(summary: string, question: HtmlValue, form: Html): Html {
  return html`<details class="confirm"><summary class="button plain">${summary}</summary><div class="card"><p>${question}</p>${form}</div></details>`
}
