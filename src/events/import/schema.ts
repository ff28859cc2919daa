import { type Static, type TProperties, Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { AssetType } from '../../core/asset-type.ts'
import { currencyCode, matching, oneOf } from '../../core/schema.ts'
import { dayOrTime } from '../../core/validation/formats.ts'
import * as enums from '../api/enums.ts'
import { eventFields, optionFields, Quantity } from '../api/fields.ts'
import { eventTypeCodes } from '../codes/event-types.ts'
import { optionTypeCodes } from '../codes/option-types.ts'

/** The records of positions and events that `refdesk import` reads and `refdesk export` writes (§9.1). */
const closedObject = <P extends TProperties>(fields: P) => Type.Object(fields, { additionalProperties: false })
const Id = Type.Integer({ minimum: 1, maximum: 4_294_967_295 })
const Day = Type.String({ format: 'date' })
const DeadlineTime = Type.String({ format: dayOrTime })
const Text = Type.String({ maxLength: 2_000 })
const maybe = Type.Optional

/** A position from a day on; without From, from the beginning. Amount 0 ends it. */
export const PositionRecord = closedObject({
  AccountKey: EntityKey,
  Uic: Id,
  AssetType,
  From: maybe(Day),
  Amount: Quantity,
})
export type PositionRecord = Static<typeof PositionRecord>

/** Name and Description default to those of the code list. */
function codeOf<Codes extends readonly string[]>(codes: Codes) {
  return closedObject({ Code: oneOf(...codes), Name: maybe(Text), Description: maybe(Text) })
}

export const ElectionRecord = closedObject({
  OptionId: Type.String({ minLength: 1, maxLength: 20 }),
  ElectedAmount: Quantity,
  ElectedBy: maybe(Text),
  ElectionType: maybe(enums.ElectionType),
  Instruction: maybe(closedObject({ Status: enums.InstructionStatus, Reason: maybe(Text) })),
  Remarks: maybe(Text),
})

/** The elections of one account; the amount held comes from its positions. */
export const HoldingRecord = closedObject({
  AccountKey: EntityKey,
  Options: maybe(Type.Array(ElectionRecord, { maxItems: 200 })),
  CashReserved: maybe(
    closedObject({ Currency: Type.String(currencyCode), Value: Quantity, Type: maybe(enums.PriceType) }),
  ),
  StandingInstructionStatus: maybe(enums.StandingInstructionStatus),
})
export type HoldingRecord = Static<typeof HoldingRecord>

/** The message an event came from, and its values that no event field can hold. Not returned by the API. */
export const EventSource = closedObject({
  Format: oneOf('seev031', 'mt564'),
  Reference: Text,
  Unmapped: maybe(
    Type.Array(closedObject({ Path: Text, Value: Type.String({ maxLength: 20_000 }) }), { maxItems: 10_000 }),
  ),
})
export type EventSource = Static<typeof EventSource>

export const EventRecord = closedObject({
  EventId: Type.String(
    matching('1 to 100 printable ASCII characters, not starting or ending with a space', '^[!-~]([ -~]{0,98}[!-~])?$'),
  ),
  Uic: Id,
  AssetType,
  CorporateActionType: enums.CorporateActionType,
  EventType: codeOf(eventTypeCodes),
  EventState: enums.EventState,
  ...eventFields(Day),
  Options: maybe(
    Type.Array(closedObject({ ...optionFields(Day, DeadlineTime), OptionType: maybe(codeOf(optionTypeCodes)) }), {
      maxItems: 200,
    }),
  ),
  UpdatedDateTime: maybe(Type.String({ format: 'date-time' })),
  Holdings: maybe(Type.Array(HoldingRecord, { maxItems: 100_000 })),
  Source: maybe(EventSource),
})
export type EventRecord = Static<typeof EventRecord>
export type EventOptionRecord = NonNullable<EventRecord['Options']>[number]
