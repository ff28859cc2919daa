import { type Html, html } from '../../http/html/html.ts'
import { copyable } from './elements.ts'

/** The foot of a page: which calls of the public API it is made of, so that a developer can make them too. */
export function apiCall(...paths: readonly string[]): Html {
  const summary = paths.length === 1 ? 'The API call behind this page' : 'The API calls behind this page'
  return html`<details class="api-call"><summary>${summary}</summary>
<ul>${paths.map((path) => html`<li><span class="tag accent">GET</span> ${copyable(path, `the path ${path}`)}</li>`)}</ul>
<p class="hint">Below the base URL that the <a href="/">start page</a> names, with the header <code>Authorization: Bearer</code> and a token.</p></details>`
}
