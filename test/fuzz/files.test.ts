import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../support/runner/long-tests.ts'
import { importFiles } from './files/campaign.ts'
import { describeFileFailures, summarizeFiles } from './report.ts'

const [seed, files] = [16, isLongRun ? 200 : 25]

test(`${files} mutated import files: each is applied as a whole or changes nothing, with errors that name a line`, async () => {
  const outcome = await importFiles({ seed, from: 0, to: files })

  console.log(summarizeFiles(outcome))
  assert.deepEqual(outcome.failures, [], `\n${describeFileFailures(outcome.failures, seed)}`)
  assert.ok(outcome.applied > 0 && outcome.rejected > 0, summarizeFiles(outcome))
})
