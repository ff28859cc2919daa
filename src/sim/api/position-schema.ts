import { Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { describe } from '../../core/schema.ts'

const example = { User: 'ada', Symbol: 'AAPL:xnas', AssetType: 'Stock', Amount: 250 }

export const PositionBody = Type.Object(
  {
    User: Type.String({ minLength: 1, maxLength: 100, description: "The user's sign-in name, in any case." }),
    Symbol: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'The symbol of the instrument, as in search results.',
    }),
    Amount: Type.Number({
      minimum: -1e15,
      maximum: 1e15,
      description:
        'How much the account holds from now on and held before; negative if sold short. 0 removes the position.',
    }),
    Account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          "The AccountId or AccountKey of an account of the user's client. By default the first, by AccountId, that may trade " +
          'the instrument.',
      }),
    ),
    AssetType: Type.Optional(
      describe(AssetType, 'The asset type. Needed only if the symbol has several that the user may see.'),
    ),
  },
  { title: 'PositionToSet', additionalProperties: false, examples: [example] },
)

export const PositionView = Type.Object(
  {
    User: Type.String({ description: "The user's sign-in name." }),
    AccountId: Type.String({ description: 'The id of the account.' }),
    AccountKey: Type.String({ description: 'The key of the account.' }),
    Uic: Type.Integer({ description: 'The instrument.' }),
    AssetType,
    Symbol: Type.String({ description: 'The symbol of the instrument.' }),
    Description: Type.String({ description: 'The name of the instrument.' }),
    Amount: Type.Number({ description: 'How much the account holds.' }),
  },
  {
    title: 'PositionSet',
    examples: [
      {
        ...example,
        AccountId: '9226397',
        AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
        Uic: 1000,
        Description: 'Apple Inc.',
      },
    ],
  },
)
