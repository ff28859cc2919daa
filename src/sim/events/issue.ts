import { sha256 } from '../../core/crypto/keys.ts'
import type { EventOptionRecord, EventRecord } from '../../events/import/schema.ts'
import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { optionId } from './accounts.ts'
import type { TradingDays } from './days.ts'

export type EventTypeCode = EventRecord['EventType']['Code']
export type State = EventRecord['EventState']
export type AssetType = EventRecord['AssetType']
type OptionTypeCode = NonNullable<EventOptionRecord['OptionType']>['Code']
type Indicators = NonNullable<EventRecord['EventIndicators']>
type Price = NonNullable<EventRecord['MaxPrice']>

/** Finds what an event is about by its symbol. */
export type Desk = (symbol: string) => Issue

type Members = Omit<
  EventRecord,
  'EventId' | 'Uic' | 'AssetType' | 'CorporateActionType' | 'EventType' | 'EventState' | 'UpdatedDateTime'
>
type More = {
  /** Where it is not held as what it mainly is. */
  as?: AssetType
  /** Which one, of several events of a type on one security. */
  no?: number
  /** The day of the last change, as a number of trading days; else it was one of the last days. */
  updated?: number
}

/** A security, and the days that its events are told in: trading days from the day of loading on, or before it. */
export class Issue {
  readonly Uic: number
  readonly currency: string
  readonly #record: InstrumentRecord
  readonly #days: TradingDays

  constructor(record: InstrumentRecord, days: TradingDays) {
    this.Uic = record.Uic
    this.currency = record.CurrencyCode ?? ''
    this.#record = record
    this.#days = days
  }

  get assetType(): AssetType {
    return this.#record.As[0]?.AssetType ?? 'Stock'
  }

  get country(): string {
    return this.#record.IssuerCountry ?? ''
  }

  /** In North America a trade settles on the next day, so that the ex date is the record date. */
  get recordLag(): number {
    return ['NASDAQ', 'NYSE', 'NYSE_ARCA', 'TSX'].includes(this.#record.ExchangeId ?? '') ? 0 : 1
  }

  get display() {
    const { Description, Isin, Symbol: symbol } = this.#record
    return { ...(Description && { Description }), ...(Isin && { IsinCode: Isin }), ...(symbol && { Symbol: symbol }) }
  }

  day(offset: number): string {
    return this.#days(offset).toString()
  }

  on(offset: number): { Date: string } {
    return { Date: this.day(offset) }
  }

  period(start: number, end: number) {
    return { Start: this.on(start), End: this.on(end) }
  }

  /** We must know some days before the market does, and the market is asked no later than the issuer. */
  deadlines(offset: number, daysAhead = 2) {
    const theirs = this.day(offset + daysAhead)
    return {
      Deadline: { Date: `${this.day(offset)}T12:00:00Z` },
      MarketDeadline: { Date: `${theirs}T15:00:00Z` },
      IssuerDeadline: { Date: `${theirs}T16:00:00Z` },
    }
  }

  price(Value: number, Currency = this.currency): Price {
    return { Currency, Type: 'Actual', Value }
  }

  /** An event of it, with the reference that a custodian would give it. */
  tell(
    Code: EventTypeCode,
    CorporateActionType: EventRecord['CorporateActionType'],
    EventState: State,
    members: Members,
    { as: AssetType = this.assetType, no = 1, updated }: More = {},
  ): EventRecord {
    const digest = sha256(`refdesk demo event ${Code} ${this.#record.Symbol} ${no}`)
    const reference = `CA${String(digest.readUInt32BE(0) % 10_000_000).padStart(7, '0')}-${this.Uic}`
    const { AnnouncedDate = '', Narrative = '' } = members
    const changed = this.day(updated ?? -1 - (digest.readUInt8(4) % 12))
    const time = `${twoDigits(digest.readUInt8(5) % 12)}:${twoDigits(digest.readUInt8(6) % 60)}`
    return {
      EventId: AssetType === this.assetType ? reference : `${reference}-${AssetType}`,
      Uic: this.Uic,
      AssetType,
      CorporateActionType,
      EventType: { Code },
      EventState,
      ...members,
      Narrative: `${Narrative}\n\nSample data: made up for the demo, not announced by anyone.`,
      UpdatedDateTime: `${changed < AnnouncedDate ? AnnouncedDate : changed}T${time}:00Z`,
    }
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

type OptionMembers = Omit<EventOptionRecord, 'OptionId' | 'OptionType'>

export type Choice = readonly [type: OptionTypeCode, members?: OptionMembers]

/** Options in their order, the first of type `byDefault` being what happens without a choice; `shared` is told of each. */
export function choices(byDefault: OptionTypeCode, shared: OptionMembers, ...list: Choice[]): EventOptionRecord[] {
  const fallback = list.findIndex(([type]) => type === byDefault)
  return list.map(([Code, members], index) => ({
    OptionId: optionId(index + 1),
    OptionType: { Code },
    IsDefault: index === fallback,
    ...shared,
    ...members,
  }))
}

/** What happens to everyone alike. */
export const outcome = (type: OptionTypeCode, members: OptionMembers): EventOptionRecord[] =>
  choices(type, {}, [type, members])

export const indicator = (Indicator: Indicators[number]['Indicator'], ...codes: string[]): Indicators[number] => ({
  Indicator,
  Values: codes.map((Code) => ({ Code })),
})

export const rounded = (value: number): number => Number(value.toFixed(6))
