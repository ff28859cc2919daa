import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boundaryOf, partsOf } from './multipart.ts'

const read = (text: string, boundary = 'b') => partsOf(text, boundary, 100)

test('the boundary is a parameter of the type, quoted or not', () => {
  const cases: [string, string][] = [
    ['multipart/mixed; boundary="+"', '+'],
    ['multipart/mixed;boundary=abc', 'abc'],
    ['Multipart/Mixed; charset=utf-8; BOUNDARY = "a b" ; x=y', 'a b'],
    [`multipart/mixed; x="; boundary=no"; boundary="'()+_,-./:=?"`, "'()+_,-./:=?"],
    ['multipart/mixed; boundary="a\\bc"', 'abc'],
    [`multipart/mixed; boundary=${'z'.repeat(70)}`, 'z'.repeat(70)],
  ]
  for (const [type, boundary] of cases) assert.equal(boundaryOf(type), boundary, type)
})

test('a type other than multipart/mixed is 415, one without a valid boundary 400', () => {
  for (const type of ['', 'application/json', 'multipart/form-data; boundary=b', 'multipart/mixedx; boundary=b'])
    assert.throws(() => boundaryOf(type), { code: 'InvalidMediaTypeHeader' }, type)
  const bad = [
    '',
    '; boundary=',
    '; boundary=""',
    '; boundary="a "',
    '; boundary="a\nb"',
    '; boundary="ü"',
    '; bound=b',
  ]
  for (const parameters of [...bad, `; boundary=${'z'.repeat(71)}`])
    assert.throws(() => boundaryOf(`multipart/mixed${parameters}`), { code: 'InvalidRequest' }, parameters)
})

test('parts are between the delimiters; text before and after is ignored', () => {
  assert.deepEqual(read('--b\r\none\r\n--b\r\n\r\ntwo\r\n\r\n--b--\r\n'), ['one', '\r\ntwo\r\n'])
  assert.deepEqual(read('pre\r\namble --b\r\n--b \t\r\none\r\n--b-- \r\nepi\r\n--b\r\nlogue'), ['one'])
  assert.deepEqual(read('--b\none\n--b--'), ['one'])
  assert.deepEqual(read('--b\r\n--b\r\n\r\n--b--'), ['', ''])
  assert.deepEqual(read('--b\r\n--bb\r\n --b\r\n--b-\r\n--b--x\r\n--b--'), ['--bb\r\n --b\r\n--b-\r\n--b--x'])
  assert.deepEqual(read('--.*\r\none\r\n--.*--', '.*'), ['one'])
})

test('rejects a batch without a delimiter, a part or an end, or with too many parts', () => {
  for (const text of [
    '',
    'one',
    '--c\r\none\r\n--c--',
    '--b--',
    '--b\r\none',
    '--b\r\none\r\n--b',
    '--b\r\none\r--b--',
  ])
    assert.throws(() => read(text), { code: 'InvalidRequest' }, text)
  const many = (count: number) => `${'--b\r\none\r\n'.repeat(count)}--b--`
  assert.equal(partsOf(many(3), 'b', 3).length, 3)
  assert.throws(() => partsOf(many(4), 'b', 3), { code: 'RequestTooLarge' })
})

const boundaries = fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{1,70}$/)
const contents = fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.stringMatching(/^[\r\n\0 -]{0,9}$/))

test('parts with any content are read unchanged', () => {
  fc.assert(
    fc.property(boundaries, fc.array(contents, { minLength: 1, maxLength: 5 }), (boundary, parts) => {
      fc.pre(parts.every((part) => !part.includes(`--${boundary}`)))
      const text = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
      assert.deepEqual(read(text, boundary), parts)
    }),
  )
})

test('any body is either parsed or rejected', () => {
  const pieces = fc.constantFrom('--b', '--b--', '--', 'b', '\r\n', '\n', '\r', ' ', '\0', 'GET / HTTP/1.1', '\t')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (chosen) => {
      try {
        assert.ok(read(chosen.join('')).length > 0)
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'InvalidRequest')
      }
    }),
  )
})
