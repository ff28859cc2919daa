import { type Html, html } from '../../../http/html/html.ts'
import { emptyState, refusals, table } from '../../shared/elements.ts'
import { day, figure } from '../../shared/format.ts'
import * as said from '../labels.ts'
import { answerPath, deadlineCell, deadlineHead, eventCell, eventViews, listPath, type Reader } from './event-list.ts'
import { filterChips } from './filter-form.ts'
import { type Asked, type Choices, hrefWith } from './filters.ts'

export type AnswerList = Readonly<{
  /** Whose accounts are looked at; nothing else narrows this list. */
  asked: Asked
  choices: Choices
  awaiting: said.Awaiting | undefined
  refused: readonly string[]
  reader: Reader
}>

/** Further ahead there is time to look again. */
const mostShown = 200

/** All that awaits an answer, the earliest deadline first. */
export function answerBody({ asked, choices, awaiting, refused, reader }: AnswerList): Html {
  return html`${eventViews('answer', asked)}
${refusals(refused)}
${filterChips(answerPath, asked, choices, {})}
${awaiting && (awaiting.due.length === 0 ? nothing(asked) : dueTable(awaiting, asked, reader))}`
}

function dueTable(awaiting: said.Awaiting, asked: Asked, reader: Reader): Html {
  const { due } = awaiting
  return html`<section class="flow" aria-label="Events">
<p><strong>${figure(due.length)}</strong> ${due.length === 1 ? 'event awaits' : 'events await'} an answer, the earliest deadline first. ${limits(awaiting)}</p>
<p class="small quiet">${said.howToAnswer}</p>
<div class="event-table">${table<said.Due>(
    'What awaits an answer',
    [
      { head: 'Event', isRowHead: true, cell: ({ event }) => eventCell(event, asked) },
      { head: deadlineHead(reader.zone), isFigure: true, cell: ({ event }) => deadlineCell(event, reader) },
      { head: 'If you do nothing', cell: ({ event }) => otherwise(said.defaultOption(event)) },
      { head: 'Election', cell: ({ event }) => said.electionTag(event.ElectionStatus) },
    ],
    due.slice(0, mostShown),
  )}</div></section>`
}

/** What is not here is said, so that nobody takes a part for the whole. */
function limits({ due, until, isWhole }: said.Awaiting): string {
  return [
    until !== undefined && `Deadlines after ${day(until)} are left out: there are more than can be sorted at once.`,
    !isWhole && 'There are more than can be read at once: narrow the list to an account.',
    due.length > mostShown && `The first ${mostShown} are shown.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const otherwise = (option: said.EventOption | undefined): Html =>
  option ? html`${said.optionName(option)}` : html`<span class="quiet">No option is marked as the default</span>`

const nothing = (asked: Asked): Html =>
  emptyState('Nothing awaits an answer from you.', 'What can be elected and is not shows here, with its deadline.', {
    href: hrefWith(listPath, asked),
    name: 'All corporate actions',
  })
