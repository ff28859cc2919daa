import { Type } from 'typebox'
import { scenarioMembers } from '../scenarios/text.ts'

const example = {
  Name: 'tender-offer',
  Title: 'A tender offer due tomorrow',
  Shows: 'A bidder offers 31.50 USD in cash for each Harbor Lights share; without an election the shares are kept.',
  View: 'Sign in as ada, who holds 500 shares in account 9226397.',
  LookAt:
    'The event is listed as electable: elect cash for some shares, change it, then move the clock past 16:00 UTC tomorrow ' +
    'and see what was applied.',
  IsShipped: true,
  IsLoaded: false,
}

const members = {
  ...scenarioMembers,
  IsShipped: Type.Boolean({ description: 'Whether it comes with the service, so that it can be loaded by its name.' }),
  IsLoaded: Type.Boolean({ description: 'Whether it is loaded.' }),
  LoadedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: "When it was loaded, by the service's clock. Only if it is loaded.",
    }),
  ),
  RecordCount: Type.Optional(Type.Integer({ description: 'How many records it brought. Only if it is loaded.' })),
}

export const ScenarioView = Type.Object(members, { title: 'Scenario', examples: [example] })

const KindOfRecords = Type.Object(
  {
    Kind: Type.String({ description: 'The kind, as in the import format.' }),
    Count: Type.Integer({ description: 'How many records it brought.' }),
    Keys: Type.Array(Type.String(), {
      description: 'The keys of the first few. Access rights have none. Empty for callers who may not load scenarios.',
    }),
  },
  { title: 'ScenarioRecords' },
)

export const ScenarioDetails = Type.Object(
  {
    ...members,
    Records: Type.Optional(
      Type.Array(KindOfRecords, { description: 'What it brought, by kind. Only if it is loaded.' }),
    ),
  },
  {
    title: 'ScenarioDetails',
    examples: [example],
  },
)

export const ScenarioParams = Type.Object({
  Name: Type.String({ maxLength: 100, description: 'The name of the scenario.', examples: ['tender-offer'] }),
})

export const ScenarioBody = Type.Object(
  {
    Text: Type.String({
      minLength: 1,
      description: 'Lines of JSON: the first describes the scenario, each other one is a record in the import format.',
    }),
  },
  {
    title: 'ScenarioText',
    additionalProperties: false,
    examples: [
      {
        Text: '{"kind":"scenario","Name":"mine","Title":"Mine","Shows":"A position.","View":"Sign in as ada.","LookAt":"Holdings."}\n',
      },
    ],
  },
)
