import { type Static, Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { AssetType } from '../../core/asset-type.ts'
import { describe, listOf, matching, named, oneOf } from '../../core/schema.ts'
import { FeedOf, pageQuery, wholeListQuery } from '../../http/output/feed.ts'
import {
  bulkExample,
  createdInstructionExample,
  electionExample,
  holdingExample,
  instructionExample,
} from '../api/examples.ts'
import { closedObject, DisplayAndFormat, field, Quantity, titledObject } from '../api/fields.ts'
import { EventParams, Holding, HoldingOption } from '../api/schema.ts'
import { optionTypeCodes } from '../codes/option-types.ts'

/** The most options that an election can name, and the most accounts or instructions of one call. */
const maxOptions = 200
export const maxRows = 200

const text = (description: string) => Type.String({ description })
const EventId = describe(EventParams.properties.EventId, 'Id of the event.')
const OptionId = Type.String({ minLength: 1, maxLength: 20, description: 'An option of the event.' })
const AccountKey = describe(EntityKey, "An account of the caller's client or of one of its sub-clients.")
const ClientKey = field(EntityKey, "The caller's client (default) or one of its sub-clients.")

export const NewElection = closedObject('NewElection', {
  EventId,
  AccountKey,
  Options: Type.Array(
    closedObject('NewElectionOption', {
      OptionId,
      Amount: describe(Quantity, 'How much of the holding gets this option; 0 for none of it.'),
      Remarks: field(
        Type.String({ maxLength: 2_000, ...matching('at most 2000 characters, none of them NUL', '^[^\\0]*$') }),
        'A note for the people who process the election.',
      ),
    }),
    { maxItems: maxOptions, description: 'All elections of the account for this event. An empty list withdraws them.' },
  ),
})
export type NewElection = Static<typeof NewElection>

export const BulkElection = closedObject('BulkElection', {
  EventId,
  Accounts: Type.Array(closedObject('BulkElectionAccount', { AccountKey }), {
    ...{ minItems: 1, maxItems: maxRows },
    description: 'The accounts that elect. One that fails does not stop the others.',
  }),
  Options: Type.Array(
    closedObject('BulkElectionOption', {
      OptionId,
      AmountPct: Type.Number({
        ...{ minimum: 0, maximum: 100 },
        description: 'How much of each holding gets this option, in percent; rounded down.',
      }),
    }),
    { maxItems: maxOptions, description: 'All elections of each account for this event.' },
  ),
})
export type BulkElection = Static<typeof BulkElection>

const ErrorMessage = field(Type.String(), 'Why the row was rejected.')
const ErrorCode = field(Type.String(), 'Code of the error, as in an error response.')

export const BulkResponse = FeedOf(
  titledObject(
    'BulkElectionResult',
    {
      AccountKey: EntityKey,
      Status: named('BulkElectionStatus', oneOf('Accepted', 'Rejected'), 'Whether the account has elected.'),
      ErrorCode,
      ErrorMessage,
      ModelState: field(
        Type.Record(Type.String(), Type.Array(Type.String())),
        'With InvalidModelState: sentences for each invalid field.',
      ),
    },
    bulkExample,
  ),
)
export type BulkResult = Static<typeof BulkResponse>['Data'][number]

export const holdingsPage = { defaultTop: 100, maxTop: 1_000 } as const

const { $top, $skip, $inlinecount } = pageQuery(holdingsPage)

export const HoldingsQuery = Type.Object({
  $top,
  $skip,
  $inlinecount: describe($inlinecount, 'Has no effect: `__count` is always included.'),
  AccountGroupKey: field(EntityKey, 'Only this account group of the client.'),
  AccountKey: field(EntityKey, 'Only this account of the client.'),
  ClientKey,
  EventId: field(EventParams.properties.EventId, 'Only holdings of this event; without it, of all listed events.'),
})
export type HoldingsQuery = Static<typeof HoldingsQuery>

export const HoldingsResponse = FeedOf(Holding)

const OptionType = named('OptionTypeCode', oneOf(...optionTypeCodes), 'ISO 15022 option type codes (CAOP).')
const Uic = Type.Integer({ minimum: 1, maximum: 4_294_967_295, description: 'Id of the instrument.' })
const StandingInstructionId = text('Id of the instruction.')

const instruction = {
  AssetType,
  OptionType: describe(OptionType, 'The type of option to apply, such as SECU.'),
  Uic,
}

export const NewInstructions = closedObject('NewStandingInstructions', {
  ClientKey,
  StandingInstructions: Type.Array(
    closedObject('NewStandingInstruction', {
      AccountKey: describe(EntityKey, 'An account of the client.'),
      ...instruction,
    }),
    {
      ...{ minItems: 1, maxItems: maxRows },
      description:
        'One per account and instrument; a new one replaces the one before. One that fails does not stop the others.',
    },
  ),
})
export type NewInstructions = Static<typeof NewInstructions>

const CreatedDate = Type.String({ format: 'date', description: 'The day it was given, in UTC.' })

export const CreatedInstructions = FeedOf(
  titledObject(
    'StandingInstructionResult',
    {
      AccountId: field(Type.String(), 'Id of the account.'),
      ...instruction,
      CreatedDate: Type.Optional(CreatedDate),
      StandingInstructionId: Type.Optional(StandingInstructionId),
      ErrorCode,
      ErrorMessage,
    },
    createdInstructionExample,
  ),
)
export type CreatedInstruction = Static<typeof CreatedInstructions>['Data'][number]

/** More than this are not listed. */
export const maxInstructions = 10_000

export const InstructionsQuery = Type.Object({
  ...wholeListQuery(maxInstructions),
  ClientKey,
  IncludeSubAccounts: Type.Boolean({ default: false, description: 'Include the accounts of sub-clients.' }),
})

export const InstructionsResponse = FeedOf(
  titledObject(
    'StandingInstruction',
    {
      AccountDisplayName: text('Display name of the account.'),
      AccountId: text('Id of the account.'),
      ClientId: text('Id of the client.'),
      ...instruction,
      CreatedDate,
      DisplayAndFormat: field(DisplayAndFormat, 'Names of the instrument.'),
      StandingInstructionId,
    },
    instructionExample,
  ),
)
export type Instruction = Static<typeof InstructionsResponse>['Data'][number]

export const DeletedInstructionsQuery = Type.Object({
  ClientKey: describe(EntityKey, "The caller's client or one of its sub-clients.", {
    examples: [holdingExample.ClientKey],
  }),
  StandingInstructionIds: describe(
    listOf(Type.String({ maxLength: 100 }), maxRows),
    'The instructions to end, separated by commas.',
    { examples: [[instructionExample.StandingInstructionId]] },
  ),
})

export const electionsPage = { defaultTop: 100, maxTop: 1_000 } as const

export const ElectionsQuery = Type.Object({
  Since: Type.Integer({
    ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
    description: 'Only elections after this Number: that of the last one you have.',
  }),
  $top: pageQuery(electionsPage).$top,
})

export const ElectionsResponse = FeedOf(
  titledObject(
    'Election',
    {
      Number: Type.Integer({ description: 'Increases with every election of the service.' }),
      EventId,
      AccountKey: EntityKey,
      ElectedAt: Type.String({ format: 'date-time', description: 'Time of the election.' }),
      UserKey: describe(EntityKey, 'The user who elected.'),
      AppKey: text('The app that the user elected with; `command line` for `refdesk elect`.'),
      Options: Type.Array(HoldingOption, {
        description: 'All elections of the account for the event; empty if withdrawn.',
      }),
    },
    electionExample,
  ),
)
