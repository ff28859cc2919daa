import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMet, type Measure, markdownOf, tableOf, timesTheAim } from './measures.ts'
import { plotOf } from './plot.ts'

const ratio: Measure = {
  name: 'details / bare',
  ours: '90 µs',
  rival: '60 µs',
  result: 0.67,
  unit: '',
  bound: 'at least',
  aim: 0.55,
}
const start: Measure = { name: 'start <cold>', ours: '', rival: '', result: 16, unit: 's', bound: 'at most', aim: 8 }

test('a measure is met at its aim, and below it only where the aim says below', () => {
  assert.ok(isMet({ ...ratio, result: 0.55 }))
  assert.ok(!isMet({ ...ratio, result: 0.549 }))
  assert.ok(isMet({ ...start, result: 8 }))
  assert.ok(!isMet({ ...start, bound: 'below', result: 8 }))
  assert.ok(!isMet({ ...ratio, result: Number.NaN }) && !isMet({ ...start, result: Number.NaN }))
})

test('twice as good is twice the aim, whichever way the measure counts', () => {
  assert.equal(timesTheAim({ ...ratio, result: 1.1 }), 2)
  assert.equal(timesTheAim({ ...start, result: 4 }), 2)
})

test('the table aligns its columns and says what is missed', () => {
  const [head = '', , first = '', second = ''] = tableOf([ratio, start]).split('\n')
  assert.match(first, /^details \/ bare {2}90 µs {4}60 µs {4}0\.67 {2}at least 0\.55 {2}met$/)
  assert.equal(second.indexOf('at most 8 s'), head.indexOf('aim'))
  assert.ok(second.endsWith('missed'))
  assert.match(markdownOf([start]), /^\| start <cold> \| {2}\| {2}\| 16\.0 s \| at most 8 s \| missed \|$/m)
})

test('the plot has room for the longest name', () => {
  const endOfNames = (name: string) => Number(/<text x="(\d+)"/.exec(plotOf([{ ...ratio, name }]))?.[1])
  assert.ok(endOfNames('a'.repeat(60)) >= 60 * 7)
  assert.ok(endOfNames('a'.repeat(20)) < endOfNames('a'.repeat(60)))
})

test('the plot draws a bar on the side of the aim that the result is on', () => {
  const [met, missed] = [...plotOf([ratio, start]).matchAll(/class="(\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)]
  assert.deepEqual([met?.[1], missed?.[1]], ['met', 'missed'])
  // A missed bar ends where a met one starts: at the aim.
  assert.equal(Number(missed?.[2]) + Number(missed?.[3]), Number(met?.[2]))
  assert.match(plotOf([start]), />start &#60;cold&#62;</)
})
