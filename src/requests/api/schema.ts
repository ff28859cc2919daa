import { type Static, Type } from 'typebox'
import { matching, optional } from '../../core/schema.ts'
import { FeedOf } from '../../http/output/feed.ts'

const text = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })

export const defaultRows = 50
export const maxRows = 200

const statusPattern = matching('a status such as 404, or a class such as 4xx', '^[1-5]([0-9]{2}|[xX]{2})$')
const Id = text('Id of the entry. Ids sort by time.')

/** An empty one is an error (§2.1). */
const since = (description: string) => Type.String({ minLength: 1, maxLength: 64, description })

const filters = {
  Status: Type.Optional(Type.String({ ...statusPattern, examples: ['4xx'] })),
  AppKey: Type.Optional(Type.String({ maxLength: 64, description: 'Only requests of this app.' })),
  Path: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only requests whose path and query contain this text, in any case.' }),
  ),
  WithoutConsole: Type.Optional(
    Type.Boolean({ description: 'Without the pages of the console and the requests that they make.' }),
  ),
}

export const RequestsQuery = Type.Object({
  ...filters,
  Since: Type.Optional(since('Only entries after the one with this Id.')),
  $top: Type.Integer({ minimum: 1, maximum: maxRows, default: defaultRows, description: 'Rows per page.' }),
  $skiptoken: Type.Optional(
    Type.String({ maxLength: 64, description: 'Cursor from the `__next` of the previous page.' }),
  ),
})
export type RequestsQuery = Static<typeof RequestsQuery>

export const LiveQuery = Type.Object({
  ...filters,
  Since: Type.Optional(since('Send entries after the one with this Id first. Last-Event-ID wins over it.')),
})

export const RequestParams = Type.Object({
  Id: Type.String({
    maxLength: 200,
    description: 'Id of the entry, the id of the request, or the value of X-Correlation.',
    examples: ['0mhz3k2x100000aa1b2c3'],
  }),
})

const summary = {
  Id,
  RequestId: text('Id of the request, as in X-Correlation.'),
  Time: time('When the request arrived, by the clock of the service.'),
  RealTime: time('When the request arrived, in real time.'),
  Milliseconds: Type.Number({ minimum: 0, description: 'Time from the request to the end of the response.' }),
  Method: text('Method of the request.'),
  Path: text('Path and query. Secrets and unknown values are replaced.'),
  Status: Type.Integer({ minimum: 0, maximum: 599, description: 'Status of the response; 0 if none was sent.' }),
  AppKey: optional(Type.String(), 'The calling app.'),
  UserKey: optional(Type.String(), 'The calling user.'),
  ClientKey: optional(Type.String(), 'The client of the user; without a user, the client that owns the app.'),
  SessionId: optional(Type.String(), 'The session of the access token.'),
  SecretId: optional(Type.String(), 'Id of the secret that the app authenticated with.'),
  Fault: optional(Type.String(), 'The injected fault that affected the request.'),
  ErrorCode: optional(Type.String(), 'Code of the error.'),
  Reason: optional(Type.String(), 'Why the request failed. May say more than the response did.'),
}

const example = {
  Id: '0mhz3k2x100000aa1b2c3',
  RequestId: '5b0c2f6ad1e84739a05b0c2f',
  Time: '2026-11-16T12:00:00.123000Z',
  RealTime: '2026-11-16T12:00:00.123000Z',
  Milliseconds: 1.3,
  Method: 'GET',
  Path: '/sim/openapi/ref/v1/instruments/details/1/Stock',
  Status: 404,
  AppKey: '0123456789abcdef0123456789abcdef',
  UserKey: 'YOjHpvTqQ7iZ0Y8kX2Zx1w==',
  ClientKey: 'Xb3LkW9pQ1mT7vR2sY5uNA==',
  SessionId: 'fedcba9876543210fedcba9876543210',
  ErrorCode: 'IllegalInstrumentId',
  Reason: 'Instrument 1 was not found, or you may not see it.',
}

export const liveExample = `retry: 1000\n\nid: ${example.Id}\nevent: request\ndata: ${JSON.stringify(example)}\n\n`

export const RequestSummary = Type.Object(summary, { title: 'LoggedRequest', examples: [example] })
export const RequestsResponse = FeedOf(RequestSummary)

const Header = Type.Object(
  { Name: text('Name of the header.'), Value: text('Its value. Credentials are replaced.') },
  { title: 'LoggedHeader' },
)
const Message = Type.Object(
  {
    Headers: Type.Array(Header, { description: 'The headers that may be shown.' }),
    Body: optional(
      Type.String(),
      'The body, decompressed: JSON and forms without secrets and unknown values, any other body as its length and media type.',
    ),
    IsCut: Type.Boolean({ description: 'Whether only the first 16 KB of the body were kept.' }),
  },
  { title: 'LoggedMessage', description: 'Headers and body, without secrets.' },
)

export const Exchange = Type.Object(
  {
    ...summary,
    Address: optional(Type.String(), 'Address of the caller.'),
    Request: Message,
    Response: Message,
  },
  {
    title: 'LoggedExchange',
    examples: [
      {
        ...example,
        Request: { Headers: [{ Name: 'accept', Value: 'application/json' }], IsCut: false },
        Response: {
          Headers: [{ Name: 'content-type', Value: 'application/json; charset=utf-8' }],
          Body: '{"ErrorCode":"IllegalInstrumentId","Message":"Instrument 1 was not found, or you may not see it."}',
          IsCut: false,
        },
      },
    ],
  },
)
