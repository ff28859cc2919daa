import { type Static, Type } from 'typebox'
import { named } from '../schema.ts'

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

export const ExplainedRow = named(
  'ExplainedRow',
  Type.Object({
    Id: text('What identifies the row: an EventId, a Uic with its asset type, an account.'),
    Name: Type.Optional(text('Its name.')),
    Reason: text('Why it was removed, or why it is where it is.'),
  }),
  'A row of the answer, or one that a step removed.',
)
export type ExplainedRow = Static<typeof ExplainedRow>

export const ExplanationStep = named(
  'ExplanationStep',
  Type.Object({
    Section: text('The section of docs/specification.md that this step follows.'),
    Title: text('What the step does.'),
    Text: text('What it looked at, and what it found.'),
    RowsIn: Type.Optional(count('Rows before this step; only those that the caller may know of.')),
    RowsOut: Type.Optional(count('Rows after it.')),
    Removed: Type.Optional(Type.Array(ExplainedRow, { description: 'The first ten rows that it removed.' })),
  }),
  'One rule that a request is answered by.',
)
export type ExplanationStep = Static<typeof ExplanationStep>

export const exampleRequest = '/ca/v2/events/CA7109655-1811?EventStates=Complete'

const example = {
  Request: exampleRequest,
  OperationId: 'getEvent',
  Status: 404,
  ErrorCode: 'NoResultFound',
  Message: 'Event CA7109655-1811 was not found, or you may not see it.',
  Summary: 'The event is confirmed. EventStates=Confirmed finds it.',
  Rows: [],
  Steps: [
    {
      Section: '§7.3',
      Title: 'EventStates',
      Text: 'State Complete.',
      RowsIn: 1,
      RowsOut: 0,
      Removed: [
        {
          Id: 'CA7109655-1811',
          Name: 'Rights Issue, Orsted A/S',
          Reason: 'Its state is Confirmed. EventStates=Confirmed finds it.',
        },
      ],
    },
  ],
}

export const Explanation = Type.Object(
  {
    Request: text('The explained request, below the base URL. Of one that is explained from the log, method and path.'),
    OperationId: Type.Optional(text('The operation whose rules explain it, as in /openapi.json.')),
    Status: Type.Integer({ description: 'The status of its answer.' }),
    ErrorCode: Type.Optional(text('The error code of its answer.')),
    Message: Type.Optional(text('The message of its answer.')),
    ModelState: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Its invalid parameters, each with why.' }),
    ),
    Summary: text('The answer in one sentence.'),
    Count: Type.Optional(count('The number of rows of all pages of the answer.')),
    Rows: Type.Array(ExplainedRow, { description: 'The first ten rows of the answer.' }),
    Steps: Type.Array(ExplanationStep, { description: 'How the answer came about, in order.' }),
  },
  { title: 'Explanation', examples: [example] },
)
export type Explanation = Static<typeof Explanation>
