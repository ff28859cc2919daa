import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted } from '../support/fields/accepted.ts'
import { compareOperation, type Kind, namesOf, readDescribed, writeDifference } from '../support/fields/compare.ts'
import { serviceForFile } from '../support/service/service.ts'

const { node } = await serviceForFile({ env: { COMPAT: 'vendor' } })
const document = JSON.parse((await node.server.inject('/openapi.json')).body)
const described = await readDescribed()
const isAccepted = (line: string) => accepted.some(({ what }) => line.startsWith(what))
const offered = described.filter(({ operation }) => !isAccepted(operation))
const compared = offered.map((each) => ({ each, fields: compareOperation(document, each) }))
const absent = compared.filter(({ fields }) => !fields).map(({ each }) => `${each.operation} absent`)
const fields = compared.flatMap(({ fields }) => fields ?? [])
const differences = fields.filter(({ difference }) => difference !== undefined).map(writeDifference)

function countOf(kind: Kind): string {
  const all = offered.reduce((sum, each) => sum + namesOf(each, kind).length, 0)
  const have = fields.filter((each) => each.kind === kind && each.difference === undefined).length
  return `${kind}: ${have} / ${all} (${((100 * have) / all).toFixed(1)} %)`
}

console.log(`operations: ${offered.length - absent.length} / ${offered.length}`)
for (const kind of ['answer', 'body', 'parameter'] as const) console.log(countOf(kind))

test('every described field is in /openapi.json, or its absence has a reason', () => {
  const open = [...absent, ...differences].filter((line) => !isAccepted(line))
  assert.deepEqual(open, [])
})

test('/openapi.json has at least 97 % of the described fields, and every operation that apps call at start', () => {
  const all = offered.reduce((sum, each) => sum + namesOf(each, 'answer').length, 0)
  const have = fields.filter(({ kind, difference }) => kind === 'answer' && difference === undefined).length
  assert.ok(have / all >= 0.97, `${have} of ${all}`)
  assert.deepEqual(absent, [])
})

test('every accepted difference still is one', () => {
  const lines = [...described.map(({ operation }) => operation), ...absent, ...differences]
  const served = new Set(compared.filter(({ fields }) => fields).map(({ each }) => each.operation))
  const stale = accepted.filter(({ what }) => !lines.some((line) => line.startsWith(what)) || served.has(what))
  assert.deepEqual(stale, [])
})
