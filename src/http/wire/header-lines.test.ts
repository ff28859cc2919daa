import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeaderLines } from './header-lines.ts'

test('writes header lines that change from one response to the next', () => {
  const lines = new HeaderLines()
  assert.equal(lines.write(['etag', '"1"', 'vary', 'Origin']), 'etag: "1"\r\nvary: Origin\r\n')
  assert.equal(lines.write(['etag', '"2"', 'vary', 'Origin']), 'etag: "2"\r\nvary: Origin\r\n')
  assert.equal(lines.write(['link', '"2"', 'vary', 'Accept\té']), 'link: "2"\r\nvary: Accept\té\r\n')
})

test('rejects a value that could end its line, even if it was accepted under another name', () => {
  const lines = new HeaderLines()
  // As latin1, U+010A is a line feed.
  for (const unsafe of ['\r', '\n', '\0', '\x7f', '\u010a', '\u010d']) {
    const value = `a${unsafe}b`
    assert.throws(() => lines.write(['link', value]), /The header link has an invalid character/)
    assert.throws(() => lines.write(['x-request-id', value]), /invalid character/)
  }
  lines.write(['content-length', '2'])
  assert.throws(() => lines.write(['x-other', '2\r\n']), /invalid character/)
})
