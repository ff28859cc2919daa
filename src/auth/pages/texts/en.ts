import type { Permission } from '../../../core/rights/permissions.ts'
import { type HtmlValue, html } from '../../../http/html/html.ts'

export const en = {
  error: 'Error',
  signIn: {
    heading: (app: HtmlValue) => html`Sign in to continue to ${app}`,
    headingSignedIn: (app: HtmlValue) => html`Continue to ${app}?`,
    access: 'Access',
    readOnly: 'Read only',
    readAndChange: 'Read and change',
    can: 'It can',
    cannotChange: 'It cannot change anything.',
    reads: (things: string) => `read ${things}`,
    ofEveryUser: (actions: string) => `for every user of this simulation: ${actions}`,
    ofOperators: (actions: string) => `if you are an operator: ${actions}`,
    permissions: {
      readReferenceData: 'reference data',
      readAccounts: 'your name and accounts',
      readEvents: 'your positions and corporate actions',
      readSessions: 'your sessions and calendars',
      readApps: 'your apps',
      readRequests: 'your requests',
      elect: 'elect for you in corporate actions, including through standing instructions',
      manageApps: 'create, change and deactivate your apps, and read and replace their secrets',
      manageSessions: 'end your sessions and withdraw your consent to other apps',
      manageCalendars:
        'create private calendars, whose address shows your corporate actions to anyone, and delete them',
      makeDayTokens: 'get tokens that are valid for 24 hours',
      changeClock: 'change the clock',
      loadScenarios: 'load and unload scenarios',
      changeSim: 'inject faults, set positions, reset the data, use snapshots',
      readAllClients: 'read the data of all clients',
      importData: 'import data',
    } satisfies Record<Permission, string>,
    returnsTo: 'Returns to',
    user: 'User',
    password: 'Password',
    demo: (users: HtmlValue, password: HtmlValue) => html`Demo: ${users}, password ${password}`,
    or: 'or',
    allow: (app: HtmlValue) => html`Sign in and continue to ${app}`,
    allowAs: (user: HtmlValue) => html`Continue as ${user}`,
    cancel: 'Cancel',
    signedInAs: 'Signed in as',
    switchUser: 'Use another user',
    withdraw: 'You can withdraw this at any time, in the console under Sessions.',
    wrong: 'Wrong user or password. If you are sure, wait a few minutes and try again.',
    stale: 'This page was open for too long. Nothing has been sent; please try again.',
  },
  signOut: {
    heading: 'Sign out?',
    sentence: (user: HtmlValue) =>
      html`You are signed in as ${user}. Signing out here also ends every session that apps started with this sign-in.`,
    confirm: 'Sign out',
    stay: 'Stay signed in',
    doneHeading: 'You are signed out',
    doneSentence: 'The apps that you signed in to from here will ask you to sign in again. You can close this page.',
    home: 'Go to the start page',
  },
  errorPage: { developers: 'For developers', requestId: 'Request ID' },
  errors: {
    unknownApp: {
      title: 'Unknown app',
      sentence: 'The app that sent you here did not identify itself, or does not exist.',
      advice: 'Go back to the app. If this happens again, contact its developer.',
      developers:
        'Send client_id once, with the AppKey of an app in this environment. Sim and live have different keys.',
    },
    inactiveApp: {
      title: 'This app is switched off',
      sentence: 'It has been deactivated, so no one can sign in to it.',
      advice: 'Ask the developer of the app when it will be back.',
      developers: 'Reactivate the app by setting IsActive to true, or use the AppKey of an active one.',
    },
    redirectUriMissing: {
      title: 'The return address is missing',
      sentence: 'After signing in you would be sent back to the app, but its request has no return address.',
      advice: 'Go back to the app. If this happens again, contact its developer.',
      developers: 'Send redirect_uri, exactly as it is registered for the app.',
    },
    redirectUriUnregistered: {
      title: 'The return address does not belong to this app',
      sentence: 'To protect you, we only send you back to addresses that the app has registered. This one is not.',
      advice: 'Do not enter your password anywhere else. Go back to the app, or contact its developer.',
      developers:
        'redirect_uri must be identical to a registered one: scheme, host, port, path, trailing slash. Only PKCE apps may use any port of a loopback address.',
    },
    repeatedParameter: {
      title: 'The request of the app is invalid',
      sentence: 'A part of the request is repeated, so its meaning is unclear.',
      advice: 'Go back to the app. If this happens again, contact its developer.',
      developers: 'Send client_id and redirect_uri exactly once each (RFC 6749 §3.1).',
    },
    unreadable: {
      title: 'The request of the app is invalid',
      sentence: 'The request is too long or malformed.',
      advice: 'Go back to the app. If this happens again, contact its developer.',
      developers:
        'Requests have a maximum length, and forms must be application/x-www-form-urlencoded. The status of this response shows which it was.',
    },
    unavailable: {
      title: 'Back in a moment',
      sentence: 'The service is temporarily unavailable. Nothing was changed.',
      advice: 'Wait a few seconds, then reload this page.',
      developers: '/health/ready says what is missing; Retry-After says when to try again.',
    },
    failed: {
      title: 'Something went wrong on our side',
      sentence: 'We could not finish what you asked for. It is not your fault.',
      advice: 'Try again. If it keeps happening, send the request ID below to the operator of this service.',
      developers: 'The log entry with this request ID has the cause.',
    },
  },
}

/** A language that lacks one of these texts does not compile. */
export type Texts = typeof en
