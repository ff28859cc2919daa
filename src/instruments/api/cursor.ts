import { invalid } from '../../core/problem.ts'

/** A cursor of numbers as a `$skiptoken`. It is opaque, so that callers do not rely on its content. */
function cursorOf<Name extends string>(...names: Name[]) {
  type Cursor = Readonly<Record<Name, number>>
  return {
    format: (cursor: Cursor): string => Buffer.from(names.map((name) => cursor[name]).join('.')).toString('base64url'),
    parse: (token: string | undefined): Cursor | undefined => {
      if (token === undefined) return undefined
      const numbers = Buffer.from(token, 'base64url').toString().split('.')
      if (numbers.length !== names.length || !numbers.every((text) => /^\d{1,10}$/.test(text)))
        throw invalid({ $skiptoken: ['Must be copied unchanged from __next.'] })
      return Object.fromEntries(names.map((name, index) => [name, Number(numbers[index])])) as Cursor
    },
  }
}

export const searchCursor = cursorOf('class', 'rank', 'id', 'kind', 'type')
export const detailsCursor = cursorOf('uic', 'type')
