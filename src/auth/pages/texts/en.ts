import { type HtmlValue, html } from '../../../http/html/html.ts'

export const en = {
  error: 'Error',
  signIn: {
    heading: (app: HtmlValue) => html`Sign in to continue to ${app}`,
    headingSignedIn: (app: HtmlValue) => html`Continue to ${app}?`,
    access: 'Access',
    readOnly: 'Read only',
    readOnlyMeans: 'Reference data, your corporate actions and your apps. It cannot change anything.',
    readAndChange: 'Read and change',
    readAndChangeMeans:
      'Reference data and your corporate actions; your apps and their secrets, which it can also change.',
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
    wrong: 'The user or the password is not right. If you are sure, wait a few minutes and try again.',
    stale: 'This page was open for too long. Nothing happened yet; please try again.',
    busy: (seconds: number) =>
      `The service is busy and could not check your password. Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
  },
  signOut: {
    heading: 'Sign out?',
    sentence: (user: HtmlValue) =>
      html`You are signed in as ${user}. Signing out here also ends every session that apps began with this sign-in.`,
    confirm: 'Sign out',
    stay: 'Stay signed in',
    doneHeading: 'You are signed out',
    doneSentence: 'The apps that you signed in to from here will ask you to sign in again. You can close this page.',
    home: 'Go to the start page',
  },
  errorPage: { developers: 'For developers', requestId: 'Request id' },
  errors: {
    unknownApp: {
      title: 'This app is not known here',
      sentence: 'The app that sent you here did not say who it is, or named an app that does not exist.',
      advice: 'Go back to the app. If this happens again, tell its makers.',
      developers:
        'client_id must be there once and be the AppKey of an app in this environment; sim and live have different keys.',
    },
    inactiveApp: {
      title: 'This app is switched off',
      sentence: 'It has been deactivated, so nobody can sign in to it.',
      advice: 'Ask the makers of the app when it will be back.',
      developers: 'Activate the app again by setting IsActive to true, or use the AppKey of an active one.',
    },
    redirectUriMissing: {
      title: 'The app did not say where to return to',
      sentence: 'After signing in you would be sent back to the app, but its request holds no return address.',
      advice: 'Go back to the app. If this happens again, tell its makers.',
      developers: 'Send redirect_uri, exactly as it is registered for the app.',
    },
    redirectUriUnregistered: {
      title: 'The return address does not belong to this app',
      sentence: 'To protect you, we only send you back to addresses that the app has registered. This one is not.',
      advice: 'Do not enter your password anywhere else. Go back to the app, or tell its makers.',
      developers:
        'redirect_uri must equal a registered one character by character: scheme, host, port, path, final slash. Only PKCE apps may leave the port of a loopback address open.',
    },
    repeatedParameter: {
      title: 'The app asked in a way we cannot read',
      sentence: 'Part of its request is there twice, so we cannot tell which one is meant.',
      advice: 'Go back to the app. If this happens again, tell its makers.',
      developers: 'client_id and redirect_uri must each be there exactly once (RFC 6749 §3.1).',
    },
    unreadable: {
      title: 'The app asked in a way we cannot read',
      sentence: 'Its request is too long, or not of the form that it should have.',
      advice: 'Go back to the app. If this happens again, tell its makers.',
      developers:
        'A request has a limit, and forms are application/x-www-form-urlencoded. The status of this answer says which it was.',
    },
    notFound: {
      title: 'There is no page here',
      sentence: 'The address may be mistyped, or the page has moved.',
      advice: 'Check the address, or begin at the start page.',
      developers: 'The addresses of this service are in /openapi.json and /.well-known/oauth-authorization-server.',
    },
    unavailable: {
      title: 'Back in a moment',
      sentence: 'The service cannot answer right now. Nothing was changed.',
      advice: 'Wait a few seconds, then load this page again.',
      developers: '/health/ready says what is missing; Retry-After says when to try again.',
    },
    failed: {
      title: 'Something went wrong on our side',
      sentence: 'We could not finish what you asked for. It is not your fault.',
      advice: 'Try again. If it stays, tell whoever runs this service, with the request id below.',
      developers: 'The log has one entry with this request id, which names the cause.',
    },
  },
}

/** A language that lacks one of these texts does not compile. */
export type Texts = typeof en
