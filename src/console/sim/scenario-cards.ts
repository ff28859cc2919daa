import type { Static } from 'typebox'
import { plural } from '../../core/text.ts'
import { type Html, html } from '../../http/html/html.ts'
import type { ScenarioView } from '../../sim/api/scenario-schema.ts'
import { bulletList, facts, hiddenText, type Link, tag } from '../shared/elements.ts'
import { confirmation, hiddenField } from '../shared/fields.ts'
import { dayAndTime } from '../shared/format.ts'
import { pathOf } from './paths.ts'

export type ScenarioRow = Static<typeof ScenarioView>

/** A loaded scenario that is shown with links to what it brought. */
export type Shown = Readonly<{ name: string; links: readonly Link[] }>

export type CardOptions = Readonly<{
  formToken: Html
  zone: string
  mayControl: boolean
  userName: string
  shown: Shown | undefined
}>

/** Loaded ones first, because they are what the service shows now. */
export function scenarioLists(scenarios: readonly ScenarioRow[], options: CardOptions): Html {
  const { loaded = [], others = [] } = Object.groupBy(scenarios, ({ IsLoaded }) => (IsLoaded ? 'loaded' : 'others'))
  const isShown = ({ Name }: ScenarioRow) => Name === options.shown?.name
  const list = (title: string, rows: readonly ScenarioRow[]) =>
    rows.length > 0 &&
    html`<section class="flow"><h2>${title} <span class="quiet">(${rows.length})</span></h2>
<div class="cards scenarios">${rows.map((row) => scenarioCard(row, options))}</div></section>`
  const shownFirst = loaded.toSorted((a, b) => Number(isShown(b)) - Number(isShown(a)))
  return html`${list('Loaded', shownFirst)}${list('Ready to load', others)}`
}

function scenarioCard(scenario: ScenarioRow, options: CardOptions): Html {
  const { Name, Title, Shows, View, LookAt, LoadedAt, RecordCount = 0 } = scenario
  // Others get no keys to link to.
  const shown = options.mayControl ? options.shown : undefined
  const since = LoadedAt !== undefined && `${dayAndTime(LoadedAt, options.zone)}, ${plural(RecordCount, 'record')}`
  return html`<article class="card"><div class="row between"><h3><bdi>${Title}</bdi></h3>${LoadedAt === undefined ? tag('Not loaded') : tag('Loaded', 'good')}</div>
<p>${Shows}</p>
${facts([
  ['Whose view', View],
  ['Look at', LookAt],
  ['Open', shown?.name === Name && openLinks(shown, options)],
  ['Loaded', since],
])}
<div class="row"><code class="quiet">${Name}</code>${actions(scenario, options)}</div></article>`
}

function openLinks({ links }: Shown, { userName }: CardOptions): Html {
  return links.length > 0
    ? bulletList(links.map(([text, href]) => html`<a href="${href}"><bdi>${text}</bdi></a>`))
    : html`<span class="quiet">You are signed in as <bdi>${userName}</bdi>, who sees none of it.</span>`
}

function actions(scenario: ScenarioRow, { formToken, mayControl, shown }: CardOptions): Html {
  if (!mayControl) return html``
  const { Name, Title, IsLoaded } = scenario
  const spoken = hiddenText(` ${Title}`)
  const fields = html`${formToken}${hiddenField('name', Name)}`
  const path = pathOf('scenarios')
  if (!IsLoaded)
    return html`<form method="post" action="${path}/load">${fields}<button class="button plain">Load${spoken}</button></form>`
  const yes = html`<form method="post" action="${path}/unload">${fields}<button class="button danger">Yes, unload${spoken}</button></form>`
  return html`${shown?.name !== Name && html`<a href="${path}?look=${Name}">What to look at${hiddenText(` in ${Title}`)}</a>`}
${confirmation('Unload', unloadQuestion(scenario), yes)}`
}

const unloadQuestion = ({ IsShipped }: ScenarioRow): Html =>
  html`Removes everything that it added, and what users did with it, such as elections.${!IsShipped && ' You need its text to load it again.'}`
