import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCampaign } from '../campaign/campaign.ts'

test('under load and a fixed schedule of faults nothing is lost, half done or won twice, and no node needs a restart', async () => {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const findings = await runCampaign({ minutes: 1 / 3, seed: 16, print, isTimed: false })
  assert.deepEqual(findings.texts, [], lines.join('\n'))
  assert.ok(
    lines.some((line) => /^Writes checked +[1-9]/.test(line)),
    lines.join('\n'),
  )
})
