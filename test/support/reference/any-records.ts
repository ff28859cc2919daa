import { accountKeys } from '../events/event-service.ts'
import { event, exchange, instrument, optionRoot, position } from '../service/import.ts'

/** Random records of every kind, the same for the same seed. Those with the Uics 1 to 3 are held and never removed. */
export class AnyRecords {
  #state: number
  readonly #added = new Set<string>()

  constructor(seed: number) {
    this.#state = seed
  }

  upTo(most: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0
    return (this.#state >>> 8) % most
  }

  oneOf<T>(...choices: readonly T[]): T {
    return choices[this.upTo(choices.length)] as T
  }

  maybe<T extends object>(one: T): Partial<T> {
    return this.upTo(2) > 0 ? one : {}
  }

  /** Some of these kinds, each record once. */
  some(kinds: readonly AnyKind[], count: number): object[] {
    const records = new Map<string, object>()
    for (let made = 0; made < count; made++) {
      const kind = this.oneOf(...kinds)
      const [key, record] = this.#makers[kind]()
      records.set(`${kind} ${key}`, record)
    }
    return [...records.values()]
  }

  /** The record, or one time in five its removal, if it may be there. */
  #orRemoval(kind: string, key: Readonly<Record<string, unknown>>, record: object): [string, object] {
    const id = JSON.stringify(key)
    const name = `${kind} ${id}`
    if (this.#added.has(name) && this.upTo(5) === 0) {
      this.#added.delete(name)
      return [id, { kind, ...key, delete: true }]
    }
    this.#added.add(name)
    return [id, record]
  }

  readonly #words = ['alpha', 'alpine', 'bank', 'beta', 'gamma', 'global', 'group', 'iron']
  readonly #word = () => this.oneOf(...this.#words)
  readonly #hours = () => [
    { Days: ['Mon', 'Tue'], Start: this.oneOf('07:00', '08:00'), End: this.oneOf('16:00', '16:30') },
  ]

  readonly #makers: Readonly<Record<AnyKind, () => [string, object]>> = {
    exchange: () => {
      const ExchangeId = this.oneOf('LSE', 'PAR')
      const own = this.oneOf<object>({ Hours: this.#hours() }, { CalendarId: 'C1' })
      const { Hours: _, ...others } = exchange
      return [ExchangeId, { ...others, ExchangeId, Name: `Exchange ${this.upTo(20)}`, ...own }]
    },
    calendar: () => ['C1', anyCalendar(this.#hours(), this.oneOf([], [{ Date: '2026-11-17', Name: 'Day off' }]))],
    instrument: () => {
      const Uic = this.oneOf(1, 2, 3, 50 + this.upTo(20))
      const record = instrument(Uic, {
        ExchangeId: this.oneOf('LSE', 'PAR'),
        Symbol: `${this.#word()}${this.upTo(30)}:x`,
        Description: `${this.#word()} ${this.#word()} ${Uic}`,
        As: this.oneOf<object[]>([{ AssetType: 'Stock' }], [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }]),
        ...this.maybe({ Rank: 1 + this.upTo(40) }),
        ...this.maybe({ OneWeekTotalValueChange: this.upTo(40) - 20 }),
        ...this.maybe({ CalendarId: 'C1' }),
        ...this.maybe({ TradingStatus: this.oneOf('NonTradable', 'ReduceOnly', 'Tradable') }),
      })
      return Uic < 50 ? [`{"Uic":${Uic}}`, record] : this.#orRemoval('instrument', { Uic }, record)
    },
    future: () => {
      const Uic = 201 + this.upTo(4)
      const ExpiryDate = this.oneOf('2026-10-16', '2026-12-18', '2027-03-19')
      const more = {
        ContinuousFuturesUic: 200,
        ExpiryDate,
        Hours: this.#hours(),
        As: [{ AssetType: 'ContractFutures' }],
      }
      return this.#orRemoval('instrument', { Uic }, instrument(Uic, more))
    },
    optionRoot: () => {
      const OptionRootId = 1 + this.upTo(3)
      const uics = Array.from({ length: 6 }, (_, index) => 1_000 * OptionRootId + index).filter(() => this.upTo(2) > 0)
      const record = optionRoot(OptionRootId, uics, { Description: `${this.#word()} options`, Rank: 1 + this.upTo(9) })
      return this.#orRemoval('optionRoot', { OptionRootId }, record)
    },
    event: () => {
      const EventId = `e${1 + this.upTo(6)}`
      return this.#orRemoval('event', { EventId }, this.#event(EventId))
    },
    position: () => {
      const AccountKey = this.oneOf(accountKeys.ada, accountKeys.ada2, accountKeys.bo, accountKeys.dee)
      const Uic = 1 + this.upTo(3)
      const From = this.oneOf(undefined, undefined, '2026-11-01', '2026-11-10')
      const key = { AccountKey, Uic, AssetType: 'Stock', ...(From !== undefined && { From }) }
      return this.#orRemoval('position', key, position(AccountKey, Uic, this.upTo(5) * 10.5, key))
    },
  }

  #event(EventId: string): object {
    const deadline = { Date: this.oneOf('2026-11-16T18:00:00Z', '2026-11-20', '2026-11-14T10:00:00Z') }
    const elected = { Options: [{ OptionId: '1', ElectedAmount: 1 + this.upTo(9) }] }
    const accounts = [accountKeys.ada, accountKeys.bo].filter(() => this.upTo(2) === 0)
    return event(EventId, 1 + this.upTo(3), {
      CorporateActionType: this.oneOf('Mandatory', 'Voluntary'),
      EventType: { Code: this.oneOf('DVOP', 'DVOP', 'TEND', 'DVCA') },
      EventState: this.oneOf('Confirmed', 'Confirmed', 'Preliminary', 'Cancelled'),
      Ex: { Date: this.oneOf('2026-11-16', '2026-11-12', '2026-12-01') },
      ...this.maybe({ Record: { Date: this.oneOf('2026-11-05', '2026-11-18') } }),
      ...this.maybe({ DisplayAndFormat: { Description: `Own ${this.upTo(9)}` } }),
      Options: [
        { OptionId: '1', OptionType: { Code: 'CASH' }, Deadline: deadline, Payment: { Date: '2026-12-10' } },
        { OptionId: '2', OptionType: { Code: this.oneOf('SECU', 'NOAC') }, IsDefault: true, Deadline: deadline },
      ],
      Holdings: accounts.map((AccountKey) => ({ AccountKey, ...elected })),
    })
  }
}

export type AnyKind = 'exchange' | 'calendar' | 'instrument' | 'future' | 'optionRoot' | 'event' | 'position'

export const anyCalendar = (Hours: object[], Holidays: object[]) => ({
  ...{ kind: 'calendar', CalendarId: 'C1', Name: 'One', TimeZone: 'Europe/Paris', Hours, Holidays },
})
