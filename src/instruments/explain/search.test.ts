import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exchanges, now, type Records } from '../../../test/support/reference/naive-search.ts'
import { accounts, criteria, records, rights } from '../../../test/support/reference/search-arbitraries.ts'
import { instrument, now as noon, view as seesAll, snapshotOf } from '../../../test/support/reference/small-universe.ts'
import { type AccessView, accessView } from '../../access/rules/visibility.ts'
import { SegmentBuilder } from '../catalogue/build/segment-builder.ts'
import { cursorOf, findRows } from '../catalogue/search/find-rows.ts'
import { Snapshot } from '../catalogue/snapshot.ts'
import { explainDetails } from './details.ts'
import { explainSearch } from './search.ts'

function snapshotWith({ instruments, roots }: Records): Snapshot {
  const builder = new SegmentBuilder()
  for (const record of instruments) builder.addInstrument(record)
  for (const record of roots) builder.addRoot(record)
  return new Snapshot(1, builder.finish(1), exchanges)
}

/** Without what the caller may see in no asset type. */
const visibleTo = (access: AccessView, { instruments, roots }: Records): Records => ({
  instruments: instruments.filter(({ As, ExchangeId }) =>
    As.some((one) => access.isVisible(one.AssetType, one.ExchangeId ?? ExchangeId ?? '')),
  ),
  roots: roots.filter(({ AssetType, ExchangeId }) => access.isVisible(AssetType, ExchangeId ?? '')),
})

const page = { top: 1000, skip: 0, isCounted: true }

test('for any search, the explanation ends with the rows of the search', async () => {
  let compared = 0
  const property = fc.asyncProperty(records(14), rights, criteria, async (all, granted, asked) => {
    const view = {
      snapshot: snapshotWith(all),
      access: accessView(granted, accounts),
      now: now.epochMilliseconds,
    }
    const { explained, rows } = await explainSearch(view, asked, page)
    const found = findRows(view, asked, page)
    assert.deepEqual(rows.map(cursorOf), found.rows.map(cursorOf))
    assert.deepEqual([explained.count, explained.steps.at(-1)?.RowsOut], [found.count, found.rows.length])
    let left: number | undefined
    for (const { Title, RowsIn, RowsOut = left, Removed } of explained.steps) {
      if (RowsIn !== undefined && left !== undefined) assert.equal(RowsIn, left, Title)
      if (Removed) assert.equal(Removed.length, Math.min(10, (RowsIn ?? 0) - (RowsOut ?? 0)), Title)
      left = RowsOut
    }
    compared += rows.length
  })
  await fc.assert(property, { numRuns: 400, seed: 17 })
  assert.ok(compared > 300, `only ${compared} rows were compared`)
})

test('an explanation is the same whether what the caller may not see exists or not', async () => {
  let hidden = 0
  const property = fc.asyncProperty(records(14, 4), rights, criteria, async (all, granted, asked) => {
    const access = accessView(granted, accounts)
    const visible = visibleTo(access, all)
    hidden += all.instruments.length - visible.instruments.length
    const explainIn = async (data: Records) => {
      const view = { snapshot: snapshotWith(data), access, now: now.epochMilliseconds }
      const { explained } = await explainSearch(view, asked, page)
      return { explained, details: await explainDetails(view, { ...asked, uics: asked.uics }, page) }
    }
    assert.deepEqual(await explainIn(all), await explainIn(visible))
  })
  await fc.assert(property, { numRuns: 200, seed: 17 })
  assert.ok(hidden > 50, `only ${hidden} instruments were hidden`)
})

test('says how each word was read', async () => {
  const snapshot = snapshotOf(
    instrument(1, { Symbol: 'AAPL:x', Description: 'Apple Inc', Isin: 'US0378331005' }),
    instrument(2, { Symbol: 'APLE:x', Description: 'Apple Hospitality' }),
    instrument(3, { Symbol: 'PNPL:x', Description: 'Pineapple Energy' }),
  )
  const view = { snapshot, access: seesAll, now: noon }
  const read = async (keywords: string) => {
    const { explained } = await explainSearch(view, { keywords, includeNonTradable: false, bounds: [] }, page)
    return explained.steps.find(({ Title }) => Title === 'Keywords')?.Text
  }
  assert.equal(await read('aapl'), '"aapl" is the symbol of 1 instrument, but not an ISIN.')
  assert.equal(await read('US0378331005'), '"us0378331005" is the ISIN of 1 instrument, but not a symbol.')
  assert.equal(await read('apple'), '"apple" is a whole word of 2 instruments, but not a symbol or an ISIN.')
  assert.equal(await read('hosp'), '"hosp" is the start of a word of 1 instrument, but not a symbol or an ISIN.')
  assert.equal(await read('appl'), '"appl" is the start of a word of 2 instruments, but not a symbol or an ISIN.')
  assert.equal(
    await read('aaple'),
    '"aaple" is not a symbol or an ISIN; read as the start of a word: 0; read as a typo of AAPL, APLE, apple: 2 matches.',
  )
  assert.equal(
    await read('zzzz'),
    '"zzzz" is not a symbol or an ISIN; read as the start of a word: 0; with one typo corrected: 0.',
  )
  assert.equal(
    await read('zz'),
    '"zz" is not a symbol, an ISIN or the start of a word. It has fewer than 4 letters, so no typo is corrected.',
  )
  assert.equal(
    await read('7203'),
    '"7203" is not a symbol, an ISIN or the start of a word. It is a number, so no typo is corrected.',
  )
  assert.equal(
    await read('pine apple energy'),
    '"pine" is the start of a word of 1 instrument, but not a symbol or an ISIN. ' +
      '"apple" is a whole word of 2 instruments, but not a symbol or an ISIN. ' +
      '"energy" is a whole word of 1 instrument, but not a symbol or an ISIN. All words must match.',
  )
  assert.equal(
    await read('pineapple ener gy'),
    '"pineapple" is a whole word of 1 instrument, but not a symbol or an ISIN. ' +
      '"ener" is the start of a word of 1 instrument, but not a symbol or an ISIN. ' +
      '"gy" matches nothing by itself. As a whole, the keywords are a symbol or the start of a name: 1 match.',
  )
  assert.match((await read('apple inc')) ?? '', / All words must match\.$/)
})
