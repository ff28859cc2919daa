import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitness, parseDatabaseUrl } from './url.ts'

test('a URL of one server stays as it is', () => {
  for (const url of [
    'postgres://refdesk:pw@db.example:5432/refdesk?sslmode=require',
    'postgresql://refdesk@localhost:5432/refdesk?host=%2Fvar%2Frun%2Fpostgresql',
    'postgres://nowhere',
  ])
    assert.deepEqual(parseDatabaseUrl(url), { urls: [url], target: undefined })
})

test('a URL of several servers becomes one URL for each, with the same user, database and options', () => {
  const url = 'postgres://u:p%40w@a:5432,[::1]:5433,c/db?sslmode=require&target_session_attrs=read-write'
  assert.deepEqual(parseDatabaseUrl(url), {
    urls: [
      'postgres://u:p%40w@a:5432/db?sslmode=require',
      'postgres://u:p%40w@[::1]:5433/db?sslmode=require',
      'postgres://u:p%40w@c/db?sslmode=require',
    ],
    target: 'read-write',
  })
})

test('hosts and ports can be parameters', () => {
  assert.deepEqual(parseDatabaseUrl('postgresql://u@/db?host=a,b&port=5432,5433')?.urls, [
    'postgresql://u@/db?host=a&port=5432',
    'postgresql://u@/db?host=b&port=5433',
  ])
  assert.deepEqual(parseDatabaseUrl('postgresql://u@x/db?host=a,b&port=5432')?.urls, [
    'postgresql://u@x/db?host=a&port=5432',
    'postgresql://u@x/db?host=b&port=5432',
  ])
})

test('what is not a PostgreSQL URL is not one', () => {
  for (const text of [
    '',
    'db.example',
    'mysql://a,b/db',
    'postgres://a:port,b/db',
    'postgres://a:1,b:x/db',
    'postgres://a,b/db?target_session_attrs=writable',
    'postgres://u@/db?host=a,b,c&port=1,2',
    'postgres://a,b,c/db?host=d,e',
  ])
    assert.equal(parseDatabaseUrl(text), undefined, text)
})

test('a writable server must be writable, and the newest timeline is best', () => {
  const primary = { isWritable: true, timeline: 3 }
  const standby = { isWritable: false, timeline: 0 }
  const of = (target: Parameters<typeof fitness>[1]) => [fitness(primary, target), fitness(standby, target)]

  assert.deepEqual(of('read-write'), [3, undefined])
  assert.deepEqual(of('primary'), [3, undefined])
  assert.deepEqual(of('standby'), [undefined, 0])
  assert.deepEqual(of('read-only'), [undefined, 0])
  assert.deepEqual(of('prefer-standby'), [0, 1])
  assert.deepEqual(of('any'), [0, 0])
})
