import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import { pageWithoutZone, type SessionsProps, sessionsBody } from './sessions.ts'

const hostile = '"><script>alert(1)</script>'
const row = {
  SessionId: 's',
  AppKey: 'k',
  AppName: hostile,
  Address: hostile,
  UserAgent: hostile,
  CreatedAt: '2026-11-16T11:00:00Z',
  ExpiresAt: '2026-12-16T11:00:00Z',
  IsCurrent: false,
}
const props: SessionsProps = {
  sessions: { rows: [row], isFirst: true, next: undefined },
  consents: { rows: [{ AppKey: 'k', AppName: hostile, GivenAt: row.CreatedAt }], isFirst: true, next: undefined },
  ownApp: 'own',
  now: Temporal.Instant.from('2026-11-16T12:00:00Z'),
  zone: 'UTC',
  formToken: html``,
  done: undefined,
}
const markup = (more: Partial<SessionsProps> = {}) => String(sessionsBody({ ...props, ...more }))

test('escapes names, and marks this session and this console', () => {
  assert.doesNotMatch(markup(), /<script|this session|this console<\/span>/)
  const own = markup({ sessions: { ...props.sessions, rows: [{ ...row, IsCurrent: true }] }, ownApp: 'k' })
  for (const words of ['this session', 'this console</span>', 'action="/console/logout"'])
    assert.ok(own.includes(words), words)
})

test('links to other pages, and explains an empty list', () => {
  assert.doesNotMatch(markup(), /Next page|First page/)
  const middle = markup({ sessions: { rows: [row], isFirst: false, next: '/console/sessions?from=100' } })
  assert.match(middle, /href="\/console\/sessions">First page<.*href="\/console\/sessions\?from=100">Next page</s)
  const none = { rows: [], isFirst: true, next: undefined }
  assert.match(markup({ sessions: none, consents: none }), /No more sessions\..*No authorized apps\./s)
})

test('after the choice of a zone returns to the page without the zone of its address', () => {
  assert.equal(
    pageWithoutZone('/console/schedule/1000/Stock?Zone=Asia/Tokyo&day=1'),
    '/console/schedule/1000/Stock?day=1',
  )
})

test('after the choice of a zone never returns to another host or outside the console', () => {
  for (const page of [
    '/console/..//evil.example/x',
    '/console/%2e%2e//evil.example/x',
    '/console/a/../..//evil.example',
    '/console/../logout',
    '//evil.example',
    'http://[',
  ])
    assert.equal(pageWithoutZone(page), '/', page)
})
