import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { type Figure, markdownOf, summaryOf, tableOf, timesTheAim, verdictOf } from './figures.ts'
import { plotOf } from './plot.ts'

const ratio: Figure = {
  ...{ group: 'Requests', name: 'details / bare', ours: '90 µs', rival: '60 µs' },
  ...{ result: 0.67, unit: '', bound: 'at least', aim: 0.55 },
}
const start: Figure = {
  ...{ group: 'Start', name: 'start <cold>', ours: '', rival: '' },
  ...{ result: 16, unit: 's', bound: 'at most', aim: 8 },
}
const onlyShown: Figure = { ...ratio, name: 'search', result: 0.3, aim: undefined }
const unknown: Figure = { ...ratio, name: 'events', result: Number.NaN }

test('an aim is met at its figure, and below it only where the aim says below', () => {
  assert.equal(verdictOf({ ...ratio, result: 0.55 }), 'met')
  assert.equal(verdictOf({ ...ratio, result: 0.549 }), 'missed')
  assert.equal(verdictOf({ ...start, result: 8 }), 'met')
  assert.equal(verdictOf({ ...start, bound: 'below', result: 8 }), 'missed')
})

test('a figure without an aim has no verdict, and one without a result is not measured', () => {
  assert.equal(verdictOf(onlyShown), '')
  assert.equal(verdictOf(unknown), 'not measured')
  assert.equal(verdictOf({ ...start, result: Number.NaN }), 'not measured')
})

test('twice as good is twice the aim, whichever way the figure counts', () => {
  assert.equal(timesTheAim({ ...ratio, result: 1.1 }), 2)
  assert.equal(timesTheAim({ ...start, result: 4 }), 2)
})

test('the table aligns its columns, names each group once and says which aims are missed', () => {
  const lines = stripVTControlCharacters(tableOf([ratio, onlyShown, start])).split('\n')
  const [head = '', , group, first = '', second = '', , otherGroup, third = ''] = lines
  assert.deepEqual([group, otherGroup], ['Requests', 'Start'])
  assert.match(first, /^details \/ bare {2}90 µs {4}60 µs {12}0\.67 {2}≥ 0\.55 {2}met$/)
  assert.match(second, /^search {10}90 µs {4}60 µs {12}0\.30$/)
  assert.equal(third.indexOf('≤ 8 s'), head.indexOf('aim'))
  assert.ok(third.endsWith('missed'))
  assert.equal(lines.at(-1), '1 of 2 aims met. Not met: start <cold>.')
  assert.equal(summaryOf([ratio, unknown]), '1 of 2 aims met. Not met: events.')
})

test('the Markdown has a table for each group', () => {
  const text = markdownOf([ratio, start])
  assert.match(text, /^\| Requests \| refdesk \| compared with \| result \| aim \| {2}\|$/m)
  assert.match(text, /^\| start <cold> \| {2}\| {2}\| 16\.0 s \| ≤ 8 s \| missed \|$/m)
})

test('the plot has room for the longest name', () => {
  const endOfNames = (name: string) => Number(/<text x="(\d+)"/.exec(plotOf([{ ...ratio, name }]))?.[1])
  assert.ok(endOfNames('a'.repeat(60)) >= 60 * 7)
  assert.ok(endOfNames('a'.repeat(20)) < endOfNames('a'.repeat(60)))
})

test('the plot draws a bar on the side of the aim that the result is on', () => {
  const bars = plotOf([ratio, onlyShown, unknown, start]).matchAll(
    /class="(\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g,
  )
  const [met, missed, ...more] = [...bars]
  assert.deepEqual([met?.[1], missed?.[1], more], ['met', 'missed', []])
  // A missed bar ends where a met one starts: at the aim.
  assert.equal(Number(missed?.[2]) + Number(missed?.[3]), Number(met?.[2]))
  assert.match(plotOf([start]), />start &#60;cold&#62;</)
})
