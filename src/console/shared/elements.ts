import { type Html, type HtmlValue, html } from '../../http/html/html.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'accent'
export type Link = readonly [name: string, href: string]

export const tag = (text: HtmlValue, tone?: Tone): Html => html`<span class="tag${tone && ` ${tone}`}">${text}</span>`

export const hiddenText = (text: HtmlValue): Html => html`<span class="unseen">${text}</span>`

export const bulletList = (items: readonly HtmlValue[]): Html =>
  html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`

/** Names and values in two columns. Rows without a value are omitted. */
export function facts(rows: readonly (readonly [name: HtmlValue, value: HtmlValue])[]): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** `figure` aligns to the right; `name` is the row header. */
type Kind = 'name' | 'figure' | undefined
export type Column<Row> = readonly [head: HtmlValue, cell: (row: Row) => HtmlValue, kind?: Kind]

/** A table that scrolls in its own frame. The caption is read out but not shown. */
export function table<Row>(
  caption: string,
  columns: readonly (Column<Row> | false)[],
  rows: readonly Row[],
  options: { sortable?: boolean; rowClass?: (row: Row) => string | undefined } = {},
): Html {
  const shown = columns.filter((column) => column !== false)
  const align = (kind: Kind) => kind === 'figure' && html` class="n"`
  // Created once per column, not once per cell.
  const cells = shown.map(([, cell, kind]) => ({
    start: kind === 'name' ? html`<th scope="row">` : html`<td${align(kind)}>`,
    cell,
    end: kind === 'name' ? html`</th>` : html`</td>`,
  }))
  const line = (row: Row) => {
    const name = options.rowClass?.(row)
    return html`<tr${name && html` class="${name}"`}>${cells.map(({ start, cell, end }) => [start, cell(row), end])}</tr>`
  }
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${options.sortable && html` data-sortable`}>
<caption class="unseen">${caption}</caption>
<thead><tr>${shown.map(([head, , kind]) => html`<th scope="col"${align(kind)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(line)}</tbody></table></div>`
}

type Tab = Readonly<{ href: string; name: HtmlValue; note?: HtmlValue; current: boolean }>

/** Tabs are links, so the URL holds the state. */
export function tabs(label: string, all: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ href, name, note, current }) =>
      html`<a href="${href}"${current && html` aria-current="page"`}>${name}${note ? html` <small>${note}</small>` : undefined}</a>`,
  )}</nav>`
}

export function emptyState(title: string, hint: HtmlValue, [action, href]: Link | readonly [] = []): Html {
  return html`<div class="empty"><p><strong>${title}</strong></p><p class="quiet">${hint}</p>${
    action && html`<p><a class="button plain" href="${href}">${action}</a></p>`
  }</div>`
}

export function notice(tone: 'good' | 'warn' | 'bad', body: HtmlValue): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${body}</div>`
}

/** What was just done: a message that stays in view for a while, or without script a notice where this is rendered. */
export const doneNotice = (text: string | false | undefined): Html | undefined =>
  text ? html`<div class="notice good" role="status" data-toast>${text}</div>` : undefined

export function errorNotice(errors: readonly string[]): Html | undefined {
  if (errors.length === 0) return undefined
  return notice('bad', errors.length === 1 ? errors[0] : bulletList(errors))
}

const copyButton = (text: string, label: string): Html =>
  html`<button class="copy" type="button" data-copy="${text}">Copy${hiddenText(` ${label}`)}</button>`

export const copyable = (text: string, label: string): Html =>
  html`<span class="copyable"><code>${text}</code>${copyButton(text, label)}</span>`

/** A value that a click copies. Without script it is plain text. */
export const copyValue = (text: string | number, what: string): Html =>
  html`<bdi class="num copy-value" data-what="${what}">${text}</bdi>`

export const codeBlock = (text: string, label: string): Html =>
  html`<div class="code"><pre tabindex="0"><code>${text}</code></pre>${copyButton(text, label)}</div>`

/** The API calls behind a page, so that developers can repeat them. */
export function apiCalls(...paths: readonly string[]): Html {
  return html`<details class="api-call"><summary>API calls behind this page</summary>
<ul>${paths.map((path) => html`<li><span class="tag accent">GET</span> ${copyable(path, `the path ${path}`)}</li>`)}</ul>
<p class="hint">Relative to the base URL on the <a href="/">home page</a>. Send an access token in the header <code>Authorization: Bearer</code>.</p></details>`
}

export function pageLinks(
  links: Readonly<Record<string, string | false | null | undefined>>,
  more: { label?: string; text?: Html } = {},
): Html | undefined {
  const shown = Object.entries(links).filter(([, href]) => href)
  if (shown.length === 0 && !more.text) return undefined
  const rel = (name: string) => name === 'Next page' && html` rel="next"`
  return html`<nav class="row" aria-label="${more.label ?? 'Pages'}">${shown.map(([name, href]) => html`<a class="button plain"${rel(name)} href="${href}">${name}</a>`)}${more.text}</nav>`
}
