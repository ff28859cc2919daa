import { type HtmlValue, html } from '../../../http/html/html.ts'
import type { Texts } from './en.ts'

export const de: Texts = {
  error: 'Fehler',
  signIn: {
    heading: (app: HtmlValue) => html`Für ${app} anmelden`,
    headingSignedIn: (app: HtmlValue) => html`Weiter zu ${app}?`,
    access: 'Zugriff',
    readOnly: 'Nur lesen',
    readAndChange: 'Lesen und ändern',
    can: 'Die App kann',
    cannotChange: 'Ändern kann die App nichts.',
    reads: (things: string) => `lesen: ${things}`,
    ofEveryUser: (actions: string) => `für alle Benutzer dieser Simulation: ${actions}`,
    ofOperators: (actions: string) => `wenn Sie Operator sind: ${actions}`,
    permissions: {
      readReferenceData: 'Stammdaten',
      readAccounts: 'Ihren Namen und Ihre Konten',
      readEvents: 'Ihre Bestände und Kapitalmaßnahmen',
      readSessions: 'Ihre Sitzungen und Kalender',
      readApps: 'Ihre Apps',
      readRequests: 'Ihre Anfragen',
      elect: 'Weisungen zu Kapitalmaßnahmen für Sie erteilen, auch als Daueranweisung',
      manageApps: 'Ihre Apps anlegen, ändern und abschalten, und deren Schlüssel lesen und ersetzen',
      manageSessions: 'Ihre Sitzungen beenden und Ihre Zustimmung zu anderen Apps widerrufen',
      manageCalendars: 'private Kalender anlegen, deren Adresse jedem Ihre Kapitalmaßnahmen zeigt, und sie löschen',
      makeDayTokens: 'Tokens holen, die 24 Stunden gelten',
      changeClock: 'die Uhr verstellen',
      loadScenarios: 'Szenarien laden und entfernen',
      changeSim: 'Fehler einstreuen, Bestände setzen, die Daten zurücksetzen, Snapshots verwenden',
      readAllClients: 'die Daten aller Kunden lesen',
      importData: 'Daten importieren',
    },
    returnsTo: 'Zurück zu',
    user: 'Benutzer',
    password: 'Passwort',
    demo: (users: HtmlValue, password: HtmlValue) => html`Demo: ${users}, Passwort ${password}`,
    or: 'oder',
    allow: (app: HtmlValue) => html`Anmelden und weiter zu ${app}`,
    allowAs: (user: HtmlValue) => html`Weiter als ${user}`,
    cancel: 'Abbrechen',
    signedInAs: 'Angemeldet als',
    switchUser: 'Anderer Benutzer',
    withdraw: 'Sie können das jederzeit widerrufen, in der Konsole unter „Sessions“.',
    wrong:
      'Benutzer oder Passwort stimmt nicht. Wenn Sie sicher sind, warten Sie einige Minuten und versuchen Sie es noch einmal.',
    stale: 'Diese Seite war zu lange offen. Es ist noch nichts geschehen; bitte versuchen Sie es noch einmal.',
  },
  signOut: {
    heading: 'Abmelden?',
    sentence: (user: HtmlValue) =>
      html`Sie sind als ${user} angemeldet. Wenn Sie sich abmelden, enden auch alle Sitzungen, die Apps mit dieser Anmeldung begonnen haben.`,
    confirm: 'Abmelden',
    stay: 'Angemeldet bleiben',
    doneHeading: 'Sie sind abgemeldet',
    doneSentence:
      'Die Apps, bei denen Sie von hier aus angemeldet waren, werden Sie neu fragen. Sie können diese Seite schließen.',
    home: 'Zur Startseite',
  },
  errorPage: { developers: 'Für Entwickler', requestId: 'Anfrage' },
  errors: {
    unknownApp: {
      title: 'Diese App ist hier nicht bekannt',
      sentence: 'Die App, die Sie hierher geschickt hat, nennt sich nicht oder nennt eine App, die es nicht gibt.',
      advice: 'Gehen Sie zurück zur App. Geschieht das wieder, sagen Sie es ihrem Hersteller.',
      developers:
        'client_id muss genau einmal da sein und der AppKey einer App dieser Umgebung sein; sim und live haben verschiedene Schlüssel.',
    },
    inactiveApp: {
      title: 'Diese App ist ausgeschaltet',
      sentence: 'Sie wurde deaktiviert; niemand kann sich bei ihr anmelden.',
      advice: 'Fragen Sie den Hersteller der App, wann sie wieder da ist.',
      developers: 'Die App mit IsActive = true wieder aktivieren oder den AppKey einer aktiven App verwenden.',
    },
    redirectUriMissing: {
      title: 'Die App sagt nicht, wohin es zurückgeht',
      sentence: 'Nach der Anmeldung kämen Sie zurück zur App, doch in ihrer Anfrage fehlt die Rückadresse.',
      advice: 'Gehen Sie zurück zur App. Geschieht das wieder, sagen Sie es ihrem Hersteller.',
      developers: 'redirect_uri mitsenden, genau so, wie sie für die App registriert ist.',
    },
    redirectUriUnregistered: {
      title: 'Die Rückadresse gehört nicht zu dieser App',
      sentence: 'Zu Ihrem Schutz geht es nur an Adressen zurück, welche die App registriert hat. Diese ist es nicht.',
      advice: 'Geben Sie Ihr Passwort nirgendwo sonst ein. Gehen Sie zurück zur App oder fragen Sie ihren Hersteller.',
      developers:
        'redirect_uri muss einer registrierten Zeichen für Zeichen gleichen: Schema, Host, Port, Pfad, letzter Schrägstrich. Nur PKCE-Apps dürfen den Port einer Loopback-Adresse offenlassen.',
    },
    repeatedParameter: {
      title: 'Die Anfrage der App ist nicht lesbar',
      sentence: 'Ein Teil der Anfrage steht zweimal da; wir können nicht wissen, welcher gilt.',
      advice: 'Gehen Sie zurück zur App. Geschieht das wieder, sagen Sie es ihrem Hersteller.',
      developers: 'client_id und redirect_uri müssen je genau einmal da sein (RFC 6749 §3.1).',
    },
    unreadable: {
      title: 'Die Anfrage der App ist nicht lesbar',
      sentence: 'Sie ist zu lang oder nicht in der Form, die sie haben müsste.',
      advice: 'Gehen Sie zurück zur App. Geschieht das wieder, sagen Sie es ihrem Hersteller.',
      developers:
        'Anfragen haben eine Höchstlänge, Formulare sind application/x-www-form-urlencoded. Der Status dieser Antwort sagt, woran es lag.',
    },
    unavailable: {
      title: 'Gleich wieder da',
      sentence: 'Der Dienst kann gerade nicht antworten. Es wurde nichts geändert.',
      advice: 'Warten Sie einige Sekunden und laden Sie diese Seite neu.',
      developers: '/health/ready sagt, was fehlt; Retry-After sagt, wann es sich wieder lohnt.',
    },
    failed: {
      title: 'Bei uns ist etwas schiefgegangen',
      sentence: 'Wir konnten nicht zu Ende führen, was Sie wollten. Es liegt nicht an Ihnen.',
      advice: 'Versuchen Sie es noch einmal. Bleibt es so, nennen Sie dem Betreiber die Nummer der Anfrage.',
      developers: 'Im Log steht unter dieser Nummer ein Eintrag, der die Ursache nennt.',
    },
  },
}
