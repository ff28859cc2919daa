import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { eventually } from '../../support/eventually.ts'
import { exchange, importTexts, instrument, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await serviceForFile()
const { catalogue, context } = service.node
const { access_token: token } = await obtainTokens(service.url)
/** Too many changes to keep besides the base. */
const many = 5_001

/** Imports all instruments, or the first ones, with this mark in their description. */
async function mark(text: string, upTo = many): Promise<number> {
  const records = Array.from({ length: upTo }, (_, index) => instrument(index + 1, { Description: `Marked ${text}` }))
  const { errors } = await importTexts(service.database.connection, { 'all.ndjson': lines(exchange, ...records) })
  assert.deepEqual(errors, [])
  return readRevision(context.db)
}

/** A busy machine may answer that it is unavailable. */
const ask = (path: string): Promise<Response> =>
  eventually(async () => {
    const answer = await getRest(service.baseUrl, path, token)
    return answer.status === 503 ? undefined : answer
  })

/** The marks in one response, and its entity tag. */
async function look(path: string): Promise<{ etag: string; marks: string }> {
  const answer = await ask(path)
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  const marks = new Set([...text.matchAll(/"Description":"Marked (\w+)"/g)].map(([, found]) => found))
  return { etag: answer.headers.get('etag') ?? '', marks: [...marks].join() }
}

const paths = ['?$top=100&Keywords=marked', '/details?$top=100', '?$top=100&$skip=5000'].map(
  (path) => `/ref/v1/instruments${path}`,
)

/** Sends requests until stopped; returns which marks came with which tags. */
async function askOn(path: string, isOver: () => boolean): Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>()
  while (!isOver()) {
    const { etag, marks } = await look(path)
    seen.set(etag, (seen.get(etag) ?? new Set()).add(marks))
    await sleep(5)
  }
  return seen
}

test('while thousands of instruments change, every response is complete and of one revision', async () => {
  await catalogue.reached(await mark('first'))
  const bases = [catalogue.current().readers.at(-1)?.segment]
  let isOver = false
  const asking = paths.map((path) => askOn(path, () => isOver))
  try {
    for (const text of ['second', 'third']) {
      await catalogue.reached(await mark(text))
      // Everything changed, so there is a new base and no changes.
      assert.equal(catalogue.current().readers.length, 1)
      bases.push(catalogue.current().readers[0]?.segment)
      for (const path of paths) assert.equal((await look(path)).marks, text)
    }
  } finally {
    isOver = true
  }
  assert.equal(new Set(bases).size, 3)
  for (const seen of await Promise.all(asking)) {
    const marks = [...seen.values()].map((each) => [...each].join('+'))
    for (const each of marks) assert.match(each, /^(first|second|third)$/)
    assert.equal(new Set(marks).size, marks.length, 'two tags for one revision')
    assert.deepEqual([marks[0], marks.at(-1)], ['first', 'third'])
  }
})

test('a small change is kept besides the base', async () => {
  const before = catalogue.current().readers[0]?.segment
  await catalogue.reached(await mark('fourth', 3))
  assert.equal(catalogue.current().readers.length, 2)
  assert.equal(catalogue.current().readers[1]?.segment, before)
})
