import { type Html, html } from '../../http/html/html.ts'
import { confirmed, emptyState, notice, table, tag } from '../shared/elements.ts'
import { dayAndTime, fromNow } from '../shared/format.ts'
import { deviceOf } from './device.ts'

export type SessionRow = Readonly<{
  SessionId: string
  AppKey: string
  AppName: string
  Address: string
  UserAgent: string
  CreatedAt: string
  ExpiresAt: string
  IsCurrent: boolean
}>
export type ConsentRow = Readonly<{ AppKey: string; AppName: string; GivenAt: string }>

/** One page of a list, and the address of the next one. */
export type Listed<Row> = Readonly<{ rows: readonly Row[]; isFirst: boolean; next: string | undefined }>

export type SessionsProps = Readonly<{
  sessions: Listed<SessionRow>
  consents: Listed<ConsentRow>
  /** The app that the console itself is. */
  ownApp: string
  now: Temporal.Instant
  zone: string
  formToken: Html
  /** What was just done, in a sentence. */
  done: string | undefined
}>

export function sessionsBody(props: SessionsProps): Html {
  return html`${props.done && notice('good', props.done)}
<section class="flow sessions"><h2>Where you are signed in</h2>
<p class="quiet">Each is one sign-in of one app. Times are ${props.zone}.</p>
${sessionTable(props)}
${paging('sessions', props.sessions)}
${signOutEverywhere(props)}</section>
<section class="flow sessions" id="apps"><h2>Apps you allowed</h2>
<p class="quiet">They may act for you after a sign-in. One that you forbid is signed out at once, and asks you again the next time. Forbidding this console signs you out of it.</p>
${consentTable(props)}
${paging('apps', props.consents)}</section>`
}

function sessionTable({ sessions, now, zone, formToken }: SessionsProps): Html {
  if (sessions.rows.length === 0)
    return emptyState('No more sessions.', 'You have seen them all.', {
      href: '/console/sessions',
      name: 'To the newest',
    })
  return table<SessionRow>(
    'Sessions that have not ended, newest first',
    [
      {
        head: 'App',
        cell: (row) =>
          html`<bdi>${row.AppName}</bdi> ${row.IsCurrent && tag('this one', 'accent')}<br><span class="quiet small device">${deviceOf(row.UserAgent)}</span>`,
        isRowHead: true,
      },
      { head: 'From', cell: (row) => html`<span class="num">${row.Address}</span>` },
      { head: 'Since', cell: (row) => since(row.CreatedAt, now, zone) },
      { head: 'At most until', cell: (row) => dayAndTime(row.ExpiresAt, zone) },
      { head: html`<span class="unseen">What you can do</span>`, cell: (row) => signOut(row, formToken) },
    ],
    sessions.rows,
  )
}

const since = (at: string, now: Temporal.Instant, zone: string): Html =>
  html`<time datetime="${at}" title="${dayAndTime(at, zone)}">${fromNow(at, now)}</time>`

/** Of this one by the way that ends the sign-in of the browser too: else it would begin anew by itself. */
function signOut({ SessionId, AppName, IsCurrent }: SessionRow, formToken: Html): Html {
  if (IsCurrent)
    return html`<form method="post" action="/console/logout">${formToken}<button class="link">Sign out<span class="unseen"> of this console</span></button></form>`
  return html`<form method="post" action="/console/sessions/end">${formToken}<button class="link" name="session" value="${SessionId}">Sign out<span class="unseen"> of ${AppName}</span></button></form>`
}

function signOutEverywhere({ formToken }: SessionsProps): Html {
  return confirmed(
    'Sign out everywhere',
    'Ends every session of yours in every app and browser, tokens of scripts and this console among them. You will have to sign in again here too.',
    html`<form method="post" action="/console/sessions/end-all">${formToken}<button class="button">Yes, sign out everywhere</button></form>`,
  )
}

function consentTable({ consents, ownApp, zone, formToken }: SessionsProps): Html {
  if (consents.rows.length === 0)
    return emptyState(
      'You have allowed no app yet.',
      'An app that you sign in to is listed here, and can be forbidden again.',
    )
  return table<ConsentRow>(
    'Apps you allowed',
    [
      {
        head: 'App',
        cell: (row) => html`<bdi>${row.AppName}</bdi> ${row.AppKey === ownApp && tag('this console', 'accent')}`,
        isRowHead: true,
      },
      { head: 'App key', cell: (row) => html`<span class="num">${row.AppKey}</span>` },
      { head: 'Allowed', cell: (row) => dayAndTime(row.GivenAt, zone) },
      {
        head: html`<span class="unseen">What you can do</span>`,
        cell: (row) =>
          html`<form method="post" action="/console/sessions/forbid">${formToken}<button class="link" name="app" value="${row.AppKey}">Forbid<span class="unseen"> ${row.AppName}</span></button></form>`,
      },
    ],
    consents.rows,
  )
}

function paging(what: string, { isFirst, next }: Listed<unknown>): Html | undefined {
  if (isFirst && next === undefined) return undefined
  return html`<nav class="row" aria-label="Pages of ${what}">${!isFirst && html`<a href="/console/sessions">First page</a>`}${
    next !== undefined && html`<a href="${next}">Next page</a>`
  }</nav>`
}
