import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentBuilder } from './build/segment-builder.ts'
import { Catalogue } from './catalogue.ts'
import type { CatalogueState } from './source.ts'

const stateOf = (revision: number, baseRevision: number): CatalogueState => ({
  ...{ revision, identity: `state ${revision}`, exchanges: [], calendars: [] },
  base: new SegmentBuilder().finish(baseRevision, `base ${baseRevision}`),
})
const moment = {
  ...{ identity: 'history', seq: 1, at: Temporal.Instant.fromEpochMilliseconds(0) },
  reference: { revision: 1, identity: null },
  events: { revision: 1, identity: null },
}

test('moments are kept until another base is served, whichever object the base is', async () => {
  let serve: (state: CatalogueState) => void = () => {}
  let made = 0
  const catalogue = await Catalogue.start({
    async start(given) {
      serve = given
      serve(stateOf(2, 2))
    },
    async past() {
      made += 1
      return stateOf(1, 2)
    },
    async stop() {},
  })
  const first = await catalogue.at(moment, 'client')
  serve(stateOf(3, 2))
  assert.equal(await catalogue.at(moment, 'client'), first)
  serve(stateOf(4, 4))
  assert.notEqual(await catalogue.at(moment, 'client'), first)
  assert.equal(made, 2)
})
