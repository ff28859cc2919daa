import { type HtmlValue, html } from '../../../http/html/html.ts'
import type { Texts } from './en.ts'

export const da: Texts = {
  error: 'Fejl',
  signIn: {
    heading: (app: HtmlValue) => html`Log ind for at fortsætte til ${app}`,
    headingSignedIn: (app: HtmlValue) => html`Fortsæt til ${app}?`,
    access: 'Adgang',
    readOnly: 'Kun læse',
    readOnlyMeans: 'Stamdata, dine selskabshændelser og dine apps. Appen kan ikke ændre noget.',
    readAndChange: 'Læse og ændre',
    readAndChangeMeans: 'Stamdata og dine selskabshændelser. Appen kan også ændre dine apps og deres nøgler.',
    agentReads: 'Stamdata og dine selskabshændelser. Appen kan ikke ændre noget.',
    agentChanges:
      'Stamdata og dine selskabshændelser. Appen kan også træffe valg for dig. Må du ændre uret og indlæse scenarier, kan appen det også.',
    returnsTo: 'Tilbage til',
    user: 'Bruger',
    password: 'Adgangskode',
    demo: (users: HtmlValue, password: HtmlValue) => html`Demo: ${users}, adgangskode ${password}`,
    or: 'eller',
    allow: (app: HtmlValue) => html`Log ind og fortsæt til ${app}`,
    allowAs: (user: HtmlValue) => html`Fortsæt som ${user}`,
    cancel: 'Annuller',
    signedInAs: 'Logget ind som',
    switchUser: 'Brug en anden bruger',
    withdraw: 'Du kan til enhver tid trække det tilbage, i konsollen under »Sessions«.',
    wrong: 'Brugeren eller adgangskoden er ikke rigtig. Hvis du er sikker, så vent nogle minutter, og prøv igen.',
    stale: 'Siden har været åben for længe. Der er ikke sket noget endnu; prøv igen.',
  },
  signOut: {
    heading: 'Log ud?',
    sentence: (user: HtmlValue) =>
      html`Du er logget ind som ${user}. Når du logger ud her, slutter også alle sessioner, som apps har begyndt med dette login.`,
    confirm: 'Log ud',
    stay: 'Forbliv logget ind',
    doneHeading: 'Du er logget ud',
    doneSentence: 'De apps, du loggede ind på herfra, vil bede dig logge ind igen. Du kan lukke siden.',
    home: 'Gå til startsiden',
  },
  errorPage: { developers: 'Til udviklere', requestId: 'Forespørgsel' },
  errors: {
    unknownApp: {
      title: 'Appen er ikke kendt her',
      sentence: 'Appen, der sendte dig hertil, sagde ikke, hvem den er, eller nævnte en app, som ikke findes.',
      advice: 'Gå tilbage til appen. Sker det igen, så sig det til dem, der laver den.',
      developers:
        'client_id skal være der netop én gang og være AppKey for en app i dette miljø; sim og live har forskellige nøgler.',
    },
    inactiveApp: {
      title: 'Appen er slået fra',
      sentence: 'Den er deaktiveret, så ingen kan logge ind på den.',
      advice: 'Spørg dem, der laver appen, hvornår den er tilbage.',
      developers: 'Aktivér appen igen ved at sætte IsActive til true, eller brug AppKey for en aktiv app.',
    },
    redirectUriMissing: {
      title: 'Appen sagde ikke, hvor du skal tilbage til',
      sentence: 'Efter login ville du blive sendt tilbage til appen, men dens forespørgsel har ingen returadresse.',
      advice: 'Gå tilbage til appen. Sker det igen, så sig det til dem, der laver den.',
      developers: 'Send redirect_uri, nøjagtig som den er registreret for appen.',
    },
    redirectUriUnregistered: {
      title: 'Returadressen hører ikke til denne app',
      sentence: 'For at beskytte dig sender vi dig kun tilbage til adresser, som appen har registreret. Denne er ikke.',
      advice: 'Skriv ikke din adgangskode andre steder. Gå tilbage til appen, eller sig det til dem, der laver den.',
      developers:
        'redirect_uri skal være lig en registreret tegn for tegn: skema, vært, port, sti, sidste skråstreg. Kun PKCE-apps må lade porten i en loopback-adresse stå åben.',
    },
    repeatedParameter: {
      title: 'Appen spurgte på en måde, vi ikke kan læse',
      sentence: 'En del af forespørgslen står der to gange, så vi kan ikke vide, hvilken der gælder.',
      advice: 'Gå tilbage til appen. Sker det igen, så sig det til dem, der laver den.',
      developers: 'client_id og redirect_uri skal hver være der netop én gang (RFC 6749 §3.1).',
    },
    unreadable: {
      title: 'Appen spurgte på en måde, vi ikke kan læse',
      sentence: 'Forespørgslen er for lang eller har ikke den rette form.',
      advice: 'Gå tilbage til appen. Sker det igen, så sig det til dem, der laver den.',
      developers:
        'En forespørgsel har en længste længde, og formularer er application/x-www-form-urlencoded. Svarets status siger, hvad det var.',
    },
    unavailable: {
      title: 'Tilbage om et øjeblik',
      sentence: 'Tjenesten kan ikke svare lige nu. Intet er ændret.',
      advice: 'Vent nogle sekunder, og indlæs siden igen.',
      developers: '/health/ready siger, hvad der mangler; Retry-After siger, hvornår du kan prøve igen.',
    },
    failed: {
      title: 'Noget gik galt hos os',
      sentence: 'Vi kunne ikke gøre det færdigt, du bad om. Det er ikke din skyld.',
      advice: 'Prøv igen. Bliver det ved, så giv dem, der driver tjenesten, forespørgslens nummer.',
      developers: 'Loggen har én linje med dette nummer, som nævner årsagen.',
    },
  },
}
