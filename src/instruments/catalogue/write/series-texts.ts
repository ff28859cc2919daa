import { momentAt } from '../../../core/time/days.ts'
import { type ExpiryMembers, expiryMembers } from '../../rules/option-space.ts'
import type { OptionColumns } from '../segment.ts'
import { JsonBuffer } from './json-buffer.ts'

type Dated = Readonly<{ today: number; daySuffix: string }>

/** A series up to its options, and one without any. Both end with a comma. */
type SeriesText = Readonly<{ lastTrade: number; open: Buffer; closed: Buffer }>

const maxTexts = 4_000
const closing = Buffer.from('},')

/** The texts of series for one time zone and day: most roots have the same expiries and the same few tick schemes. */
class SeriesTexts {
  readonly #options: OptionColumns
  readonly #zone: string
  readonly dated: Dated
  /** By tick scheme, then by expiry. */
  readonly #known = new Map<number, Map<number, SeriesText>>()
  /** The last scheme that was asked for: most series of a root have the same. */
  #scheme: number | undefined
  #ofScheme = new Map<number, SeriesText>()
  #count = 0

  constructor(options: OptionColumns, zone: string, dated: Dated) {
    this.#options = options
    this.#zone = zone
    this.dated = dated
  }

  get(series: number, expiry: number): SeriesText {
    const { seriesTickSchemes, seriesLastTrades } = this.#options
    // Equal schemes are at the same place of the text, and series without one share a number that is no place.
    const scheme = seriesTickSchemes.lengths[series] === 0 ? -1 : (seriesTickSchemes.starts[series] as number)
    const lastTrade = seriesLastTrades[series] as number
    if (scheme !== this.#scheme) this.#use(scheme)
    const known = this.#ofScheme.get(expiry)
    if (known && Object.is(known.lastTrade, lastTrade)) return known
    const text = this.#make(series, expiry, lastTrade)
    if (!known && this.#count++ === maxTexts) this.#clear(scheme)
    this.#ofScheme.set(expiry, text)
    return text
  }

  #use(scheme: number): void {
    this.#scheme = scheme
    this.#ofScheme = this.#known.getOrInsertComputed(scheme, () => new Map())
  }

  #make(series: number, expiry: number, lastTrade: number): SeriesText {
    const { text, seriesTickSchemes } = this.#options
    const facts = { expiry, lastTrade: Number.isNaN(lastTrade) ? undefined : momentAt(lastTrade, this.#zone) }
    const out = new JsonBuffer().ascii(expiryText(expiryMembers(facts, this.dated)))
    const open = out.members(text, seriesTickSchemes, series).finish()
    return { lastTrade, open, closed: Buffer.concat([open.subarray(0, -1), closing]) }
  }

  #clear(scheme: number): void {
    this.#known.clear()
    this.#count = 1
    this.#use(scheme)
  }
}

/** By the contracts of a segment, then by time zone. */
const textsOfContracts = new WeakMap<OptionColumns, Map<string, SeriesTexts>>()

export function seriesTextsOf(options: OptionColumns, zone: string, { today, daySuffix }: Dated): SeriesTexts {
  const ofZones = textsOfContracts.getOrInsertComputed(options, () => new Map())
  const known = ofZones.get(zone)
  if (known?.dated.today === today && known.dated.daySuffix === daySuffix) return known
  const texts = new SeriesTexts(options, zone, { today, daySuffix })
  ofZones.set(zone, texts)
  return texts
}

/** The members and a trailing comma. Faster than JSON.stringify; nothing in them needs escaping. */
function expiryText(members: ExpiryMembers): string {
  const { DisplayDaysToExpiry, DisplayDaysToLastTradeDate, DisplayExpiry, Expiry, LastTradeDate } = members
  const days =
    DisplayDaysToLastTradeDate === undefined ? '' : `"DisplayDaysToLastTradeDate":${DisplayDaysToLastTradeDate},`
  const lastTrade = LastTradeDate === undefined ? '' : `"LastTradeDate":"${LastTradeDate}",`
  const expiry = `"DisplayExpiry":"${DisplayExpiry}","Expiry":"${Expiry}",`
  return `{"DisplayDaysToExpiry":${DisplayDaysToExpiry},${days}${expiry}${lastTrade}`
}
