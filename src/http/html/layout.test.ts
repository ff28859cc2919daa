import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'
import { cardPage, formTarget, page, pageHeaders } from './layout.ts'

test('a form target is the origin of the redirect URI', () => {
  assert.equal(formTarget('http://localhost:5000/callback?x=1'), 'http://localhost:5000')
  assert.equal(formTarget('https://Charts.Example.com/back'), 'https://charts.example.com')
  assert.equal(formTarget('https://münchen.example/'), 'https://xn--mnchen-3ya.example')
})

test('a private-use scheme is allowed as a scheme', () => {
  assert.equal(formTarget('com.example.app:/callback'), 'com.example.app:')
})

test('an IPv6 address, which CSP cannot name, is allowed by its scheme', () => {
  assert.equal(formTarget('http://[::1]:5000/callback'), 'http:')
})

test('a host cannot end the directive, add a source or widen itself to a wildcard', () => {
  for (const host of ['a;script-src', "a'b", 'a,b', '*.example.com', '*', 'a b', 'a"b', "x';img-src"])
    assert.equal(formTarget(`https://${host}/`), "'self'", host)
  for (const nonsense of ['', '/callback', "'unsafe-inline'", 'a;b:/x', 'https://'])
    assert.equal(formTarget(nonsense), "'self'", nonsense)
})

test('a page may load its stylesheet and icon, post to itself and to the named target, and nothing else', () => {
  const policy = (formAction: string[]) => pageHeaders({ formAction })['content-security-policy']
  assert.equal(
    policy(['http://localhost:5000']),
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self' http://localhost:5000; base-uri 'none'; frame-ancestors 'none'",
  )
  assert.match(String(policy([])), /form-action 'self';/)
})

test('a page is never stored, framed or sniffed, and sends no referrer', () => {
  const headers = pageHeaders()
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
})

test('only a page that may be the popup of an app stays connected to its opener', () => {
  assert.equal(pageHeaders({ mayBePopup: true })['cross-origin-opener-policy'], 'unsafe-none')
  assert.equal(pageHeaders()['cross-origin-opener-policy'], 'same-origin')
})

test('every page names its language, its environment and hashed assets, and asks not to be indexed', () => {
  const made = String(page({ title: 'A <b>', lang: 'de', environment: 'live', body: html`<p>x</p>` }))
  assert.match(made, /^<!doctype html>\n<html lang="de" data-environment="live">/)
  assert.match(made, /<title>A &lt;b&gt; · refdesk live<\/title>/)
  assert.match(made, /href="\/assets\/refdesk-[0-9a-f]{8}\.css"/)
  assert.match(made, /href="\/assets\/icon-[0-9a-f]{8}\.svg"/)
  assert.match(made, /<meta name="robots" content="noindex">/)
})

test('the page shows the environment, also to screen readers', () => {
  const made = String(cardPage({ title: 'x', lang: 'da', environment: 'sim', body: html`` }))
  assert.match(made, /<span class="env sim"><span class="unseen">Miljø: <\/span>sim<\/span>/)
})

test('a travelled clock is shown first on the page, in its language', () => {
  const now = Temporal.Instant.from('2026-12-18T09:30:00Z')
  const made = (lang: string, frozen: boolean) =>
    String(cardPage({ title: 'x', lang, environment: 'sim', body: html``, travel: { now, frozen } }))
  const time = '<time datetime="2026-12-18T09:30:00Z" data-clock="running">18 Dec 2026, 09:30 UTC</time>'
  assert.ok(made('en', false).includes(`<strong>Time travel.</strong> Here it is ${time}.`))
  assert.match(made('en', true), /data-clock="frozen">.*, and time stands still\./)
  assert.match(made('de', true), /Zeitreise\..*18\.12\.2026.*und die Zeit steht still/)
  assert.match(made('da', true), /Tidsrejse\..*18\. dec\. 2026.*og tiden står stille/)
  assert.doesNotMatch(String(cardPage({ title: 'x', environment: 'sim', body: html`` })), /class="travel"/)
})
