import { type Static, Type } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import { describe, oneOf, optional } from '../../core/schema.ts'
import { FeedOf } from '../../http/output/feed.ts'
import type { Count } from '../kind.ts'
import type { Upload } from '../store/uploads.ts'
import { uploadStates } from '../uploads/rules/upload-state.ts'
import { RunRecord } from './history-schema.ts'

const example = 'c0ffee11c0ffee11c0ffee11c0ffee11'

export const ImportParams = Type.Object({
  ImportId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The id of the import.', examples: [example] }),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ImportFile = Type.Object(
  { Name: Type.String({ description: 'Its name.' }), Bytes: count('Its size as sent.') },
  { title: 'ImportFile' },
)

const ImportProgressView = Type.Object(
  {
    Phase: describe(oneOf('reading', 'checking', 'merging', 'committing'), 'What it does now.'),
    Records: count('How many records were read.'),
    Percent: optional(Type.Integer({ minimum: 0, maximum: 100 }), 'How much of the phase is done, if that is known.'),
  },
  { title: 'ImportProgress' },
)

export const ImportChange = Type.Object(
  {
    Kind: Type.String({ description: 'The kind of the records.' }),
    Added: count('New records.'),
    Changed: count('Records with other values than before.'),
    Unchanged: count('Records that are the same as before.'),
    Removed: count('Deleted records.'),
  },
  { title: 'ImportChange' },
)

export const ImportView = Type.Object(
  {
    ImportId: Type.String({ description: 'The id of the import.' }),
    State: Type.Unsafe<Upload['state']>({
      ...oneOf(...uploadStates),
      description:
        'Uploaded: not checked yet. Checking and Applying: in progress. Checked: see Errors and Changes. Applied: done.',
    }),
    Files: Type.Array(ImportFile, { description: 'The files, in the order in which they were sent.' }),
    UploadedAt: Type.String({ format: 'date-time', description: 'When the files were sent, in real time.' }),
    ExpiresAt: Type.String({ format: 'date-time', description: 'When they are deleted, in real time.' }),
    Progress: optional(ImportProgressView, 'How far it is, while it is in progress.'),
    Changes: Type.Array(ImportChange, {
      description: 'What would change, or after Applied has changed, by kind. Empty before a check and with Errors.',
    }),
    Errors: Type.Array(Type.String(), {
      description: 'Why nothing can be applied: up to 100 sentences with file, line, record and field.',
    }),
    Notes: Type.Array(Type.String(), { description: 'Warnings, which begin with `Warning:`, and other notes.' }),
    Revision: optional(Type.Integer(), 'The revision of the reference data, if it was changed.'),
    Records: optional(
      Type.Array(RunRecord),
      'After a check: the first 20 records that would change, with the fields that differ. Not in lists.',
    ),
    Run: optional(
      Type.Integer({ minimum: 1 }),
      'The number of the run that applied it, if it changed a record with a history.',
    ),
    Undoes: optional(Type.Integer({ minimum: 1 }), 'The run that it undoes. Such an import has no files.'),
    UndoneBy: optional(Type.Integer({ minimum: 1 }), 'The run that undid it.'),
    Message: optional(Type.String(), 'Why the last check or import ended without a result.'),
  },
  {
    title: 'Import',
    examples: [
      {
        ImportId: example,
        State: 'Checked',
        Files: [{ Name: 'instruments.ndjson', Bytes: 20_480 }],
        UploadedAt: '2026-11-16T12:00:00.000000Z',
        ExpiresAt: '2026-11-16T13:00:00.000000Z',
        Changes: [{ Kind: 'instrument', Added: 12, Changed: 3, Unchanged: 85, Removed: 0 }],
        Errors: [],
        Notes: [],
      },
    ],
  },
)
export type ImportView = Static<typeof ImportView>
export const ImportFeed = FeedOf(ImportView)

/** `undoneBy`: the run that undid what it applied. */
export function importView(upload: Upload, undoneBy?: number): ImportView {
  const { progress, outcome, message, state, undoes } = upload
  const applied = state === 'Applied' ? outcome : undefined
  return {
    ImportId: upload.importId,
    State: state,
    Files: upload.files.map(({ name, bytes }) => ({ Name: name, Bytes: bytes })),
    UploadedAt: wireTime(upload.uploadedAt),
    ExpiresAt: wireTime(upload.expiresAt),
    ...(progress && { Progress: progressView(progress) }),
    Changes: (outcome?.counts ?? [])
      .filter(({ kind: _, ...counts }) => Object.values(counts).some((many) => many > 0))
      .map(changeView),
    Errors: [...(outcome?.errors ?? [])],
    Notes: [...(outcome?.notes ?? [])],
    ...(state === 'Checked' && outcome?.records && { Records: [...outcome.records] }),
    ...(applied && applied.revision > 0 && { Revision: applied.revision }),
    ...(applied?.run !== undefined && { Run: applied.run }),
    ...(undoes !== null && { Undoes: undoes }),
    ...(undoneBy !== undefined && { UndoneBy: undoneBy }),
    ...(message !== undefined && { Message: message }),
  }
}

export const changeView = ({ kind, added, changed, unchanged, removed }: Count): Static<typeof ImportChange> => ({
  ...{ Kind: kind, Added: added, Changed: changed, Unchanged: unchanged, Removed: removed },
})

const progressView = ({ phase, records, percent }: NonNullable<Upload['progress']>) => ({
  Phase: phase as Static<typeof ImportProgressView>['Phase'],
  Records: records,
  ...(percent !== undefined && { Percent: percent }),
})
