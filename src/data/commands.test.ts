import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportRecords, importFiles } from './commands.ts'

const never = () => assert.fail('the database was opened')

test('what is wrong with the words is told before the database is opened', async () => {
  await assert.rejects(
    importFiles(['data.txt'], never),
    /^Error: data\.txt is none of \.ndjson, \.ndjson\.gz, \.csv, \.csv\.gz\.$/,
  )
  await assert.rejects(importFiles(['absent.ndjson'], never), { code: 'ENOENT', path: 'absent.ndjson' })
  await assert.rejects(importFiles(['--dry'], never), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' })
  await assert.rejects(exportRecords(['--kind', 'x'], never), /There is no kind x; there are exchange, instrument, /)
})
