import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testServer } from '../../../test/support/http-server.ts'
import { addCookie, readCookie } from './cookies.ts'

const local = 'http://localhost:4700'

async function exchange(publicUrl: string, cookie?: string, maxAgeSeconds?: number) {
  const { server } = testServer()
  server.get('/', async (request, reply) => {
    addCookie(publicUrl, reply, 'n', 'v', maxAgeSeconds)
    return reply.send({ read: readCookie(publicUrl, request, 'n') ?? null })
  })
  const response = await server.inject({ url: '/', headers: cookie === undefined ? {} : { cookie } })
  return { read: response.json().read, written: String(response.headers['set-cookie']).split('; ').sort() }
}

test('finds a cookie among others by its whole name; the first one counts', async () => {
  for (const [header, value] of [
    ['a=1; n=abc; b=2', 'abc'],
    ['xn=abc', null],
    ['n=one; n=two', 'one'],
    ['n==b=c', '=b=c'],
    [';;=; n', null],
    ['n=a%20b%2C%C3%A4', 'a b,ä'],
    ['n=100%', '100%'],
    // RFC 6265 §5.2: quotes belong to the value.
    ['n="a b"', '"a b"'],
    [undefined, null],
  ] as const)
    assert.equal((await exchange(local, header)).read, value, String(header))
})

test('hides cookies from scripts and from the forms of other sites', async () => {
  assert.deepEqual((await exchange(local)).written, ['HttpOnly', 'Path=/', 'SameSite=Lax', 'n=v'])
})

test('under https, ties a cookie to this host', async () => {
  const { written, read } = await exchange('https://refdesk.example.com', 'n=planted; __Host-n=own', 60)
  assert.deepEqual(written, ['HttpOnly', 'Max-Age=60', 'Path=/', 'SameSite=Lax', 'Secure', '__Host-n=v'])
  assert.equal(read, 'own')
})

test('writes each cookie once, with any text as its value', async () => {
  const { server } = testServer()
  server.get('/', async (_request, reply) => {
    addCookie(local, reply, 'a', 'first')
    addCookie(local, reply, 'b', 'x; Path=/other')
    addCookie(local, reply, 'a', 'second')
    return reply.send()
  })
  const { cookies } = await server.inject('/')
  assert.deepEqual(
    cookies.map(({ name, value, path }) => ({ name, value, path })),
    [
      { name: 'b', value: 'x; Path=/other', path: '/' },
      { name: 'a', value: 'second', path: '/' },
    ],
  )
})
