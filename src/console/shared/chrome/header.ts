import { LRUCache } from 'lru-cache'
import { isoMilliseconds } from '../../../core/clock.ts'
import { plural } from '../../../core/text.ts'
import { wallClock } from '../../../core/time/wall-clock.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { day, two, zoneName } from '../format.ts'
import type { Chrome, ShownClock } from './chrome.ts'
import { offeredZones } from './zone.ts'

/** The bar above every page: search, active faults, service time and time zone. */
export function header(chrome: Chrome): Html {
  return html`<section class="top" aria-label="Search, service time and time zone">
${searchField}
<div class="top-end">${faultBadge(chrome.activeFaults)}${travelBadge(chrome.clock)}${clock(chrome.clock)}${zoneForm(chrome)}</div>
</section>`
}

/** Without script a search for instruments; with script it opens the command palette. */
const searchField = html`<form class="jump" role="search" aria-label="Everything" action="/console/instruments">
<input type="search" name="Keywords" aria-label="Search" placeholder="Search or jump to…" autocomplete="off" spellcheck="false" maxlength="100" data-palette><kbd aria-hidden="true" data-palette-key></kbd></form>`

function faultBadge(count: number): Html | undefined {
  if (count === 0) return undefined
  return html`<a class="badge bad" href="/console/sim/faults">${plural(count, 'active fault')}</a>`
}

function travelBadge({ travel }: ShownClock): Html | undefined {
  if (!travel) return undefined
  return html`<a class="badge warn travel" href="/console/sim"><span class="unseen">Time travel: </span>${offsetText(travel)}</a>`
}

const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

/** `+30 days`, `−2 hours, frozen`: how far the service clock is from real time. */
export function offsetText({ offsetSeconds, frozen }: NonNullable<ShownClock['travel']>): string {
  const size = Math.abs(offsetSeconds)
  const [seconds, name] = units.find(([seconds]) => Math.round(size / seconds) >= 1) ?? [1, 'second']
  const offset = `${offsetSeconds < 0 ? '−' : '+'}${plural(Math.round(size / seconds), name)}`
  if (!frozen) return offset
  return size < 60 ? 'frozen' : `${offset}, frozen`
}

/** `16 Dec 2026, 09:41:07` with the zone. A script keeps it running. */
function clock({ now, zone, travel }: ShownClock): Html {
  const { date, hour, minute, second } = wallClock(now, zone)
  const text = `${day(date)}, ${two(hour)}:${two(minute)}:${two(second)}`
  return html`<span class="badge clock"><span class="unseen">Service time: </span><time datetime="${isoMilliseconds(now.epochMilliseconds)}" data-clock="${travel?.frozen ? 'frozen' : 'running'}" data-zone="${zone}">${text}</time></span>`
}

const zoneOption = (name: string, isSelected: boolean): Html =>
  html`<option value="${name}"${isSelected && html` selected`}>${zoneName(name)}</option>`
const offeredOptions = new Map(offeredZones.map((name) => [name, zoneOption(name, false)]))

/** A choice is sent by script when it changes, else with the button. */
function zoneForm(chrome: Chrome): Html {
  return html`<form class="zone" method="post" action="/console/zone" autocomplete="off">${chrome.formToken}<input type="hidden" name="next" value="${chrome.next}">
${zoneChoice(chrome)}<noscript><button class="button plain">Set</button></noscript></form>`
}

const zoneChoices = new LRUCache<string, Html>({ max: 100 })

function zoneChoice(chrome: Chrome): Html {
  const key = `${chrome.clock.zone} ${chrome.chosenZone} ${chrome.isZoneKnown}`
  const known = zoneChoices.get(key)
  if (known) return known
  const choice = zoneSelect(chrome)
  zoneChoices.set(key, choice)
  return choice
}

function zoneSelect({ clock: { zone }, chosenZone, isZoneKnown }: Chrome): Html {
  const zones = offeredZones.includes(zone) ? offeredZones : [zone, ...offeredZones]
  const isChosen = chosenZone !== undefined
  const automatic = isChosen ? 'Browser’s zone' : `${zoneName(zone)}${isZoneKnown ? ' (browser)' : ''}`
  const option = (name: string) =>
    (name !== chosenZone && offeredOptions.get(name)) || zoneOption(name, name === chosenZone)
  return html`<select name="zone" aria-label="Time zone"${!isChosen && html` data-zone-automatic`}><option value=""${!isChosen && html` selected`}>${automatic}</option>${zones.map(option)}</select>`
}
