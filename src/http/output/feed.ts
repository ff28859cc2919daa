import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { describe, named, oneOf } from '../../core/schema.ts'
import { formatQuery, type Query, sentQuery } from '../input/query.ts'

const InlineCount = named('InlineCount', oneOf('AllPages', 'None'), 'Whether to count.')

/** The paging members of a query (contract §2), to spread into a querystring schema. */
export function pageQuery({ defaultTop, maxTop }: { defaultTop: number; maxTop: number }) {
  return {
    $top: Type.Integer({ minimum: 0, maximum: maxTop, default: defaultTop, description: 'Rows on a page.' }),
    $skip: Type.Integer({ minimum: 0, default: 0, description: 'Rows to pass over.' }),
    $skiptoken: Type.Optional(
      Type.String({ maxLength: 512, description: 'Where the last page ended, from its `__next`; wins over $skip.' }),
    ),
    $inlinecount: describe(InlineCount, 'AllPages tells in `__count` how many rows all pages have.', {
      default: 'None',
    }),
  }
}

/** The schema of a feed of rows; it is called after them. */
export function FeedOf<Row extends TSchema>(row: Row) {
  const { title } = row as { title?: string }
  return Type.Object(
    {
      __count: Type.Optional(Type.Integer({ minimum: 0, description: 'How many rows all pages have together.' })),
      __next: Type.Optional(
        Type.String({ format: 'uri', description: 'Where the next page is; absent on the last one.' }),
      ),
      Data: Type.Array(row, { description: 'The rows of this page.' }),
      MaxRows: Type.Optional(Type.Integer({ minimum: 0, description: 'The most rows that a page can have.' })),
    },
    title === undefined ? {} : { title: `${title}Feed` },
  )
}

export type Feed<Row> = { __count?: number; __next?: string; Data: Row[]; MaxRows?: number }

/** Members without a value are left out, `Data` never (contract §2). */
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

/** The `__next` of a page by `$skip`, if there is more. */
export function nextPage(
  request: FastifyRequest<{ Querystring: { $top: number; $skip: number } }>,
  address: string,
  more: boolean,
): string | undefined {
  const { $top, $skip } = request.query
  return more && $top > 0 ? nextLink(address, sentQuery(request), { $skip: $skip + $top }) : undefined
}

/** The absolute `__next`: all that the caller asked for, from where this page ended. */
export function nextLink(address: string, query: Query, place: { $skip: number } | { $skiptoken: string }): string {
  const kept = Object.entries(query).filter(([name]) => !['$skip', '$skiptoken'].includes(name.toLowerCase()))
  const placed = Object.entries(place).map(([name, value]) => [name, [String(value)]])
  return `${address}?${formatQuery(Object.fromEntries([...kept, ...placed]))}`
}
