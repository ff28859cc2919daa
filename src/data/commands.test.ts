import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportRecords, importFiles } from './commands.ts'

const never = () => assert.fail('the database was opened')

test('reports bad arguments before it opens the database', async () => {
  await assert.rejects(
    importFiles(['data.txt'], {}, never),
    /^Error: data\.txt has an unknown format\. Use one of \.ndjson, \.jsonl, \.csv, \.xml, \.fin, \.mt564, each also \.gz, or pass --format\.$/,
  )
  await assert.rejects(importFiles(['data.txt.gz'], {}, never), /^Error: data\.txt\.gz has an unknown format/)
  await assert.rejects(importFiles(['ndjson'], {}, never), /^Error: ndjson has an unknown format/)
  await assert.rejects(importFiles(['a.ndjson'], { skipUnknown: true }, never), { code: 'ENOENT' })
  await assert.rejects(importFiles(['absent.ndjson'], {}, never), { code: 'ENOENT', path: 'absent.ndjson' })
  await assert.rejects(
    importFiles([], { undo: 'x' }, never),
    /^Error: --undo must be the number that the import printed, not x/,
  )
  await assert.rejects(importFiles(['a.ndjson'], { undo: '1' }, never), /^Error: --undo takes no files/)
  await assert.rejects(importFiles([], { undo: '1', today: '2026-11-16' }, never), /^Error: --undo takes no files/)
  await assert.rejects(
    exportRecords({ file: 'all.xml' }, never),
    /^Error: An export is NDJSON\. Give a file name that ends in \.ndjson or \.ndjson\.gz instead of all\.xml\.$/,
  )
})
