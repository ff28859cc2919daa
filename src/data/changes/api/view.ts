import { wireTime } from '../../../core/clock.ts'
import type { CursorEntry } from '../page.ts'
import type { ChangeView } from './schema.ts'

/** A change as it is sent. */
export const changeView = ({ kind, id, change, fields, cursor, changed }: CursorEntry): ChangeView => ({
  Change: change,
  Cursor: cursor,
  Fields: [...fields],
  Id: id,
  Kind: kind as ChangeView['Kind'],
  ...(changed.revision !== undefined && { Revision: changed.revision }),
  Time: wireTime(changed.time),
})
