import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../http/html/html.ts'
import { limits } from '../../http/limits/buckets.ts'
import { catchApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { bulletList, codeBlock, notice } from '../shared/elements.ts'
import { inputField, textArea } from '../shared/fields.ts'
import { pathOf } from './paths.ts'
import type { Details } from './scenario-links.ts'

/** A text that was not loaded. */
export type RejectedText = Readonly<{ text: string; errors: readonly string[] }>

/** Encoded in a form, a text takes up to three times as many bytes. */
export const uploadLimit = 4 * limits.bodyBytes

/** Always fits: quoted in JSON, a text takes up to twice as many bytes. */
const safeKilobytes = 30

const example = `{"kind":"scenario","Name":"my-dividend","Title":"A dividend tomorrow","Shows":"A cash dividend of Apple that goes ex tomorrow.","View":"Sign in as ada, who holds Apple.","LookAt":"The event is in the list of events, and in the calendar."}
{"kind":"event","EventId":"MY-1","Uic":1000,"AssetType":"Stock","CorporateActionType":"Mandatory","EventType":{"Code":"DVCA"},"EventState":"Approved","Ex":{"Date":"@+1"}}`

/** Loads the text of the file or, if none was chosen, what was typed. */
export async function loadOwn(
  ctx: PageContext,
  form: URLSearchParams,
  showRejected: (own: RejectedText) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const text = form.get('File') || (form.get('Text') ?? '')
  if (text.trim() === '') return showRejected({ text, errors: ['Choose a file, or paste its text.'] })
  try {
    const { Name } = await ctx.api.send<Details>('POST', '/x/v1/scenarios', { Text: text })
    return ctx.redirect(`${pathOf('scenarios')}?done=loaded&look=${Name}#content`)
  } catch (error) {
    const { modelState, messages } = catchApiError(400, 409, 413)(error)
    return showRejected({ text, errors: modelState.Text?.map(lineError) ?? messages })
  }
}

/** `Text:3 position 7, field Amount: …` names the line, as in a file. */
const lineError = (sentence: string): string =>
  sentence.replace(/^Text:(\d+)( ?)/, (_, line, space) => `Line ${line}${space && ', '}`)

export function ownScenarioCard({ text, errors }: RejectedText, formToken: Html): Html {
  return html`<section class="card flow" id="own"><h2>Load your own scenario</h2>
<p>Lines of JSON: the first describes the scenario, each other one is a record in the import format. Every record must be new; days can be relative, such as <code>@+1</code>.</p>
<details class="fold"><summary>Example</summary>${codeBlock(example, 'the example')}</details>
${errors.length > 0 && notice('bad', html`<p><strong>Nothing was loaded.</strong></p>${bulletList(errors)}`)}
<form method="post" enctype="multipart/form-data" action="${pathOf('scenarios')}/own#own" class="flow">${formToken}
${inputField('File', 'File', '', { type: 'file', attributes: html` accept=".ndjson,.jsonl,.json,.txt"`, hint: `In UTF-8, at most ${safeKilobytes} KB; load a larger one with refdesk scenario load FILE. If you choose a file, the text below is ignored.` })}
${textArea('Text', 'Or its text', text, { attributes: html` class="num" rows="6" maxlength="${limits.bodyBytes}" spellcheck="false" autocapitalize="none"` })}
<div><button class="button">Load scenario</button></div></form></section>`
}
