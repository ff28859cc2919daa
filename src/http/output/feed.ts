import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { describe, named, oneOf } from '../../core/schema.ts'
import { formatParameter, formatQuery, parameterName, parseQuery, type Query, queryText } from '../input/query.ts'

const InlineCount = named('InlineCount', oneOf('AllPages', 'None'), 'Whether to count the rows of all pages.')

/** The paging parameters (§2.3), to spread into a query schema. */
export function pageQuery({ defaultTop, maxTop }: { defaultTop: number; maxTop: number }) {
  return {
    $top: Type.Integer({ minimum: 0, maximum: maxTop, default: defaultTop, description: 'Rows per page.' }),
    $skip: Type.Integer({ minimum: 0, default: 0, description: 'Rows to skip.' }),
    $skiptoken: Type.Optional(
      Type.String({ maxLength: 512, description: 'Cursor from the `__next` of the previous page; overrides $skip.' }),
    ),
    $inlinecount: describe(InlineCount, '`AllPages` returns the number of rows of all pages in `__count`.', {
      default: 'None',
    }),
  }
}

export function FeedOf<Row extends TSchema>(row: Row) {
  const { title } = row as { title?: string }
  return Type.Object(
    {
      __count: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of rows of all pages.' })),
      __next: Type.Optional(
        Type.String({ format: 'uri', description: 'URL of the next page; absent on the last page.' }),
      ),
      Data: Type.Array(row, { description: 'The rows of this page.' }),
      MaxRows: Type.Optional(Type.Integer({ minimum: 0, description: 'Maximum number of rows per page.' })),
    },
    title === undefined ? {} : { title: `${title}Feed` },
  )
}

/** MaxRows of a list that is never longer and is returned whole by default (§6.6). */
export const wholeListMaxRows = 1_000

/** The paging parameters of a list that is returned whole by default. */
export function wholeListQuery(maxRows = wholeListMaxRows) {
  const { $top, $skip } = pageQuery({ defaultTop: maxRows, maxTop: maxRows })
  return { $top, $skip }
}

export type Feed<Row> = { __count?: number; __next?: string; Data: Row[]; MaxRows?: number }

/** Leaves out fields without a value, but never `Data` (§2.3). */
export function feed<Row>(rows: {
  data: Row[]
  count?: number | undefined
  maxRows?: number | undefined
  next?: string | undefined
}): Feed<Row> {
  return {
    ...(rows.count !== undefined && { __count: rows.count }),
    ...(rows.next !== undefined && { __next: rows.next }),
    Data: rows.data,
    ...(rows.maxRows !== undefined && { MaxRows: rows.maxRows }),
  }
}

/** The bytes of a feed whose rows are JSON already. */
export function feedBytes(
  rows: readonly string[],
  page: Readonly<{ count: number | undefined; next: string | undefined; maxRows: number }>,
): Buffer {
  const { Data: _, ...members } = feed({ ...page, data: [] })
  return Buffer.from(`${JSON.stringify(members).slice(0, -1)},"Data":[${rows}]}`)
}

export function nextPage(
  request: FastifyRequest<{ Querystring: { $top: number; $skip: number } }>,
  address: string,
  more: boolean,
): string | undefined {
  const { $top, $skip } = request.query
  return more && $top > 0 ? nextLink(address, request, { $skip: $skip + $top }) : undefined
}

type Paged = FastifyRequest<{ Querystring: { $top: number; $skip: number; $inlinecount?: 'AllPages' | 'None' } }>

/** The requested page of a list whose rows are all known. */
export function pageOf<Row>(request: Paged, address: string, rows: readonly Row[]) {
  const { $top, $skip, $inlinecount } = request.query
  const end = $skip + $top
  return {
    data: rows.slice($skip, end),
    count: $inlinecount === 'AllPages' ? rows.length : undefined,
    next: nextPage(request, address, end < rows.length),
  }
}

const pagingNames = ['$skip', '$skiptoken']
/** Parameters of which none can be for paging and none must be encoded, as most queries are. */
const plainQuery = /^(?:(?!\$skip|since=)[\w.,$-]+=[\w.,$+%-]+(?:&(?=.)|$))*$/i

/** The absolute `__next`: the caller's query from the given cursor. */
export function nextLink(
  address: string,
  request: Pick<FastifyRequest, 'url'>,
  cursor: { $skip: number } | { $skiptoken: string } | { Since: string },
): string {
  const text = queryText(request)
  const kept = plainQuery.test(text) ? text : formatQuery(withoutPaging(parseQuery(text), cursor))
  const [name, value] = Object.entries(cursor)[0] as [string, unknown]
  return `${address}?${kept}${kept === '' ? '' : '&'}${formatParameter(name, String(value))}`
}

/** The new cursor replaces one with the same name, too. Elsewhere `Since` may be a filter. */
function withoutPaging(query: Query, cursor: object): Query {
  const dropped = new Set([...pagingNames, ...Object.keys(cursor).map((name) => name.toLowerCase())])
  for (const name in query) if (dropped.has(parameterName(name))) delete query[name]
  return query
}
