import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportRecords, importFiles } from './commands.ts'

const never = () => assert.fail('the database was opened')

test('what is wrong with the words is told before the database is opened', async () => {
  await assert.rejects(
    importFiles(['data.txt'], never),
    /^Error: data\.txt is none of \.ndjson, \.jsonl, \.csv, \.xml, \.fin, \.mt564, each also \.gz\. Tell what it is with --format\.$/,
  )
  await assert.rejects(importFiles(['data.txt.gz'], never), /^Error: data\.txt\.gz is none of /)
  await assert.rejects(importFiles(['ndjson'], never), /^Error: ndjson is none of /)
  await assert.rejects(
    importFiles(['data.txt', '--format', 'mt565'], never),
    /^Error: There is no format mt565; there are ndjson, csv, seev031, mt564\.$/,
  )
  await assert.rejects(importFiles(['a.ndjson', '--skip-unknown'], never), { code: 'ENOENT' })
  await assert.rejects(importFiles(['absent.ndjson'], never), { code: 'ENOENT', path: 'absent.ndjson' })
  await assert.rejects(importFiles(['--dry'], never), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' })
  await assert.rejects(
    exportRecords(['--file', 'all.xml'], never),
    /^Error: An export is NDJSON: end the name of all\.xml in \.ndjson or \.ndjson\.gz\.$/,
  )
  await assert.rejects(exportRecords(['--kind', 'x'], never), /There is no kind x; there are exchange, instrument, /)
})
