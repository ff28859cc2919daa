import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { writeOutlines } from '../support/openapi/outline.ts'
import { liveSettings, serviceForFile } from '../support/service/service.ts'

const committed = new URL('openapi-outline.txt', import.meta.url)

test('the structure of /openapi.json is the committed one: only its texts may differ', async () => {
  const environments = { sim: {}, vendor: { COMPAT: 'vendor' }, live: liveSettings }
  const documents: Record<string, string> = {}
  for (const [name, env] of Object.entries(environments)) {
    const { node } = await serviceForFile({ env })
    documents[name] = (await node.server.inject('/openapi.json')).body
  }

  const outline = writeOutlines(documents)

  if (process.env.WRITE_OUTLINE) await writeFile(committed, outline)
  const expected = (await readFile(committed, 'utf8')).split('\n')
  const actual = outline.split('\n')
  const missing = expected.filter((line) => !actual.includes(line))
  const added = actual.filter((line) => !expected.includes(line))
  const advice = 'After an intended change: WRITE_OUTLINE=1 node test/run.ts test/api/openapi-structure.test.ts'
  assert.deepEqual({ missing, added }, { missing: [], added: [] }, advice)
})
