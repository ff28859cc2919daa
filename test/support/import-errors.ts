import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Connection } from '../../src/database/open.ts'
import { importTexts } from './service/import.ts'

/** Lines, and the errors that are reported for them. The file is called `f`. */
type Rejection = [name: string, text: string, ...errors: RegExp[]]

/** One test for each: the import reports exactly these errors, and no password. */
export function testRejections(connection: Connection, rejections: readonly Rejection[]): void {
  for (const [name, text, ...expected] of rejections)
    test(`rejects, with line, field and reason: ${name}`, async () => {
      const { errors } = await importTexts(connection, { f: text })
      assert.equal(errors.length, expected.length, errors.join('\n'))
      for (const [index, pattern] of expected.entries()) assert.match(errors[index] ?? '', pattern)
      assert.doesNotMatch(errors.join('\n'), /hunter2/)
    })
}
