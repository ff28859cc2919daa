import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../limits/buckets.ts'
import { readMultipartForm } from './multipart-form.ts'

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const formOf = (count: number, value = '') => Buffer.from(`${part('a', value).repeat(count)}--b--\r\n`)
const read = (body: Buffer, contentType = 'multipart/form-data; boundary=b') => readMultipartForm(body, contentType)

test('reads as many parts as a form may have, and no more', async () => {
  assert.equal((await read(formOf(limits.formParts)))?.getAll('a').length, limits.formParts)
  assert.equal(await read(formOf(limits.formParts + 1)), undefined)
})

test('reads the boundary in quotation marks, and the first of several', async () => {
  for (const type of ['multipart/form-data; boundary="b"', 'multipart/form-data; x=y; Boundary=b; boundary=c'])
    assert.equal((await read(formOf(1, 'text'), type))?.get('a'), 'text', type)
})

test('rejects a form that is malformed, or without a valid boundary', async () => {
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary="\u00e9"',
    'multipart/form-data; boundary=c',
  ])
    assert.equal(await read(formOf(1), type), undefined, type)
  assert.equal(await read(Buffer.from('--b\r\nno form')), undefined)
})
