import { type Static, Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { AssetType } from '../../core/asset-type.ts'
import { currencyCode, matching, oneOf } from '../../core/schema.ts'
import * as enums from '../api/enums.ts'
import { type DaySchema, eventFields, optionFields, Quantity } from '../api/fields.ts'
import { eventTypeCodes } from '../codes/event-types.ts'
import { optionTypeCodes } from '../codes/option-types.ts'

/** The records of positions and events that `refdesk import` reads and `refdesk export` writes (§9.1). */
const closed = { additionalProperties: false }
const Id = Type.Integer({ minimum: 1, maximum: 4_294_967_295 })
const Day: DaySchema = Type.String({ format: 'date' })
const DateTime = Type.String({ format: 'date-time' })
const Text = Type.String({ maxLength: 2_000 })
const maybe = Type.Optional

/** A position from a day on; without From, from the beginning. Amount 0 ends it. */
export const PositionRecord = Type.Object(
  { AccountKey: EntityKey, Uic: Id, AssetType, From: maybe(Day), Amount: Quantity },
  closed,
)
export type PositionRecord = Static<typeof PositionRecord>

/** Name and Description default to those of the code list. */
function codeOf<Codes extends readonly string[]>(codes: Codes) {
  return Type.Object({ Code: oneOf(...codes), Name: maybe(Text), Description: maybe(Text) }, closed)
}

export const ElectionRecord = Type.Object(
  {
    OptionId: Type.String({ minLength: 1, maxLength: 20 }),
    ElectedAmount: Quantity,
    ElectedBy: maybe(Text),
    ElectionType: maybe(enums.ElectionType),
    Instruction: maybe(Type.Object({ Status: enums.InstructionStatus }, closed)),
    Remarks: maybe(Text),
  },
  closed,
)

/** The elections of one account; the amount held comes from its positions. */
export const HoldingRecord = Type.Object(
  {
    AccountKey: EntityKey,
    Options: maybe(Type.Array(ElectionRecord, { maxItems: 200 })),
    CashReserved: maybe(Type.Object({ Currency: Type.String(currencyCode), Value: Quantity }, closed)),
  },
  closed,
)
export type HoldingRecord = Static<typeof HoldingRecord>

/** The message an event came from, and its values that no event field can hold. Not returned by the API. */
export const EventSource = Type.Object(
  {
    Format: oneOf('seev031', 'mt564'),
    Reference: Text,
    Unmapped: maybe(
      Type.Array(Type.Object({ Path: Text, Value: Type.String({ maxLength: 20_000 }) }, closed), { maxItems: 10_000 }),
    ),
  },
  closed,
)
export type EventSource = Static<typeof EventSource>

export const EventRecord = Type.Object(
  {
    EventId: Type.String(
      matching(
        '1 to 100 printable ASCII characters, not starting or ending with a space',
        '^[!-~]([ -~]{0,98}[!-~])?$',
      ),
    ),
    Uic: Id,
    AssetType,
    CorporateActionType: enums.CorporateActionType,
    EventType: codeOf(eventTypeCodes),
    EventState: enums.EventState,
    ...eventFields(Day),
    Options: maybe(
      Type.Array(Type.Object({ ...optionFields(Day), OptionType: maybe(codeOf(optionTypeCodes)) }, closed), {
        maxItems: 200,
      }),
    ),
    UpdatedDateTime: maybe(DateTime),
    Holdings: maybe(Type.Array(HoldingRecord, { maxItems: 100_000 })),
    Source: maybe(EventSource),
  },
  closed,
)
export type EventRecord = Static<typeof EventRecord>
export type EventOptionRecord = NonNullable<EventRecord['Options']>[number]
