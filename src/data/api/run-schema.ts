import { type Static, Type } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import { maxRunNumber } from '../../core/records/run-number.ts'
import { oneOf, optional } from '../../core/schema.ts'
import { FeedOf } from '../../http/output/feed.ts'
import { historyKinds } from '../history/kinds.ts'
import type { RunRow } from '../store/runs.ts'
import { RunRecord } from './history-schema.ts'
import { changeView, ImportChange } from './import-schema.ts'

export const [maxRuns, maxRecords] = [100, 50]
const number = { minimum: 1, maximum: maxRunNumber }

export const RunParams = Type.Object({
  Run: Type.Integer({ ...number, description: 'The number of the run.', examples: [17] }),
})

const cursor = Type.Optional(Type.Integer({ ...number, description: 'Cursor from the `__next` of the previous page.' }))
const rowsPerPage = (maximum: number) =>
  Type.Integer({ minimum: 1, maximum, default: 20, description: 'Rows per page.' })

export const RunsQuery = Type.Object({ $top: rowsPerPage(maxRuns), $skiptoken: cursor })

export const RunRecordsQuery = Type.Object({
  Kind: Type.Optional(
    Type.Unsafe<(typeof historyKinds)[number]>({
      ...oneOf(...historyKinds),
      description: 'Only records of this kind.',
    }),
  ),
  $top: rowsPerPage(maxRecords),
  $skiptoken: cursor,
})

export const RunView = Type.Object(
  {
    Changes: optional(
      Type.Array(ImportChange),
      'Of an import: what it changed, by kind. Absent: it was no import, but a scenario or a command.',
    ),
    EventRevision: optional(Type.Integer(), 'The revision of the events that it led to.'),
    Revision: optional(Type.Integer(), 'The revision of the reference data that it led to.'),
    Run: Type.Integer({ minimum: 1, description: 'Its number, by which it can be undone.' }),
    Source: optional(Type.String(), 'What changed the data: the names of files, a scenario, a command.'),
    Time: Type.String({ format: 'date-time', description: 'When it was committed, in real time.' }),
    UndoneBy: optional(Type.Integer({ minimum: 1 }), 'The run that undid it, unless that was undone itself.'),
    Undoes: optional(Type.Integer({ minimum: 1 }), 'The run that it undid.'),
  },
  {
    title: 'Run',
    examples: [
      {
        Changes: [{ Kind: 'instrument', Added: 12, Changed: 3, Unchanged: 85, Removed: 0 }],
        Revision: 7,
        Run: 17,
        Source: 'instruments.ndjson',
        Time: '2026-11-16T12:00:00.000000Z',
      },
    ],
  },
)
export type RunView = Static<typeof RunView>
export const RunFeed = FeedOf(RunView)

export const RunRecordFeed = FeedOf(RunRecord)

export const runView = (row: RunRow): RunView => ({
  ...(row.counts && { Changes: row.counts.map(changeView) }),
  ...(row.eventRevision !== null && { EventRevision: row.eventRevision }),
  ...(row.revision !== null && { Revision: row.revision }),
  Run: row.run,
  ...(row.source !== '' && { Source: row.source }),
  Time: wireTime(row.at),
  ...(row.undoneBy !== null && { UndoneBy: row.undoneBy }),
  ...(row.undoes !== null && { Undoes: row.undoes }),
})
