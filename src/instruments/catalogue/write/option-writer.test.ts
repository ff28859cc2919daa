import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tradingStatuses } from '../../../core/trading-status.ts'
import type { SegmentReader } from '../segment-reader.ts'
import { JsonBuffer } from './json-buffer.ts'
import { writeOption, writeOptions } from './option-writer.ts'

const statuses = fc.constantFrom(...tradingStatuses)
/** Of few kinds, so that a series has several that differ only in their numbers. */
const option = fc.record({
  PutCall: fc.constantFrom('Call', 'Put'),
  StrikePrice: fc.oneof(fc.nat(), fc.constantFrom(0.005, 12.5, 1e9)),
  TradingStatus: fc.oneof({ weight: 3, arbitrary: fc.constant('Tradable' as const) }, statuses),
  Uic: fc.oneof(fc.nat(), fc.nat(20)),
  UnderlyingUic: fc.constantFrom(undefined, 7, 80_001),
})

test('writes the options of a series that a query selects, whatever their underlyings', () => {
  const query = fc.record({
    OptionSpaceSegment: fc.constantFrom('AllDates' as const, 'UnderlyingUic' as const),
    UnderlyingUic: fc.constantFrom(7, 80_001),
    TradingStatus: statuses,
  })
  fc.assert(
    fc.property(fc.array(option, { maxLength: 30 }), query, (options, asked) => {
      const { OptionSpaceSegment: segment, UnderlyingUic: uic, TradingStatus: status } = asked
      const selected = options
        .filter((each) => segment === 'AllDates' || each.UnderlyingUic === uic)
        .filter((each) => status === 'NotDefined' || each.TradingStatus === status)
      const out = new JsonBuffer().ascii('{')
      writeOptions(out, readerOf(options), 0, asked)
      assert.deepEqual(
        JSON.parse(String(out.ascii('}').finish())),
        JSON.parse(JSON.stringify(selected.length > 0 ? { SpecificOptions: selected } : {})),
      )
    }),
    { numRuns: 500 },
  )
})

test('writes one option', () => {
  fc.assert(
    fc.property(option, (only) => {
      const out = new JsonBuffer()
      writeOption(out, readerOf([only]).segment.options, 0)
      assert.equal(String(out.finish()), JSON.stringify(only))
    }),
  )
})

type Option = typeof option extends fc.Arbitrary<infer Value> ? Value : never

/** A segment with one series of these options. */
function readerOf(options: readonly Option[]): SegmentReader {
  const columns = {
    seriesOptions: [0, options.length],
    uics: options.map(({ Uic }) => Uic),
    strikes: options.map(({ StrikePrice }) => StrikePrice),
    flags: options.map((each) => (each.PutCall === 'Put' ? 1 : 0) + 2 * tradingStatuses.indexOf(each.TradingStatus)),
    underlyings: options.map(({ UnderlyingUic = 0 }) => UnderlyingUic),
  }
  return { segment: { options: columns } } as unknown as SegmentReader
}
