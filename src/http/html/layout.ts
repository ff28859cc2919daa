import type { TravelClock } from '../../core/clock.ts'
import type { Environment } from '../../core/environment.ts'
import { assetUrl } from './assets.ts'
import { type Html, html, raw } from './html.ts'

type PageProps = {
  title: string | Html
  lang?: string
  environment: Environment
  body: Html
  /** Modules of public/ that add comfort; the page works without them. */
  scripts?: readonly string[]
  /** What stands in the head in place of our stylesheet, before the scripts. */
  head?: Html
}

type DoorProps = PageProps & {
  /** Where the clock stands while it is not at the real time. */
  travel?: ClockState | undefined
}

/** The skeleton of every page. The environment stands in the window's title too, where a screenshot or a tab shows it. */
export function page({ title, lang = 'en', environment, body, scripts = [], head }: PageProps): Html {
  return html`<!doctype html>
<html lang="${lang}" data-environment="${environment}">
<head>
<meta charset="utf-8">
<title>${title} · refdesk ${environment}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}">
${head ?? html`<link rel="stylesheet" href="${assetUrl('refdesk.css')}">`}
${scripts.map((script) => html`<script type="module" src="${assetUrl(script)}"></script>`)}
</head>
<body>
${body}
</body>
</html>
`
}

/** A page that is one card in the middle: sign in, an error, signed out. */
export function cardPage(props: DoorProps): Html {
  const { lang = 'en', environment, travel, body } = props
  return page({
    ...props,
    body: html`${travelBanner(travel, lang)}
<div class="door">
<main class="card">
${masthead(environment, lang)}
${body}
</main>
</div>`,
  })
}

export const mark = raw(
  '<svg class="mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M3.5 1H8v18H3.5A2.5 2.5 0 0 1 1 16.5v-13A2.5 2.5 0 0 1 3.5 1zM10 1h2.4v18H10zM14.4 1h2.1A2.5 2.5 0 0 1 19 3.5v13a2.5 2.5 0 0 1-2.5 2.5h-2.1z"/></svg>',
)

/** A service that lives at another time than the real one (sim only). */
export type ClockState = Readonly<{ now: Temporal.Instant; frozen: boolean }>

/** Where a clock stands that has travelled; undefined at real time. */
export function travelledOf(clock: TravelClock): ClockState | undefined {
  const { frozenAt, offsetMicroseconds } = clock.shift
  if (!frozenAt && offsetMicroseconds === 0) return undefined
  return { now: clock.now(), frozen: frozenAt !== undefined }
}

const travelTexts: Record<string, { title: string; locale: string; say: (time: Html, frozen: boolean) => Html }> = {
  en: {
    title: 'Time travel.',
    locale: 'en-GB',
    say: (time, frozen) => html`Here it is ${time}${frozen && ', and time stands still'}.`,
  },
  de: {
    title: 'Zeitreise.',
    locale: 'de',
    say: (time, frozen) => html`Hier ist es ${time}${frozen && ', und die Zeit steht still'}.`,
  },
  da: {
    title: 'Tidsrejse.',
    locale: 'da',
    say: (time, frozen) => html`Her er klokken ${time}${frozen && ', og tiden står stille'}.`,
  },
}

/** A clock that is not the real one is told on every page: everything that has a time follows it. */
export function travelBanner(travel: ClockState | undefined, lang = 'en', change?: Html): Html | undefined {
  const text = travelTexts[lang] ?? travelTexts.en
  if (!travel || !text) return undefined
  const { now, frozen } = travel
  const shown = now.toLocaleString(text.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const time = html`<time datetime="${now.toString()}" data-clock="${frozen ? 'frozen' : 'running'}">${shown} UTC</time>`
  return html`<p class="travel" role="status"><strong>${text.title}</strong> ${text.say(time, frozen)} ${change}</p>`
}

const environmentWord: Record<string, string> = { en: 'Environment', de: 'Umgebung', da: 'Miljø' }

/** Who speaks, and in which environment: on every page, in the same place. */
export function masthead(environment: Environment, lang = 'en'): Html {
  return html`<header class="masthead">
<span class="brand">${mark}refdesk</span>
<span class="env ${environment}"><span class="unseen">${environmentWord[lang] ?? 'Environment'}: </span>${environment}</span>
</header>`
}

/**
 * What every page is sent with. `formAction` names, besides ourselves, where a form may lead: Chromium applies
 * form-action to the whole redirect chain after a post. `mayBePopup` is for a page that an app may have opened as a
 * popup and waits for: an opener policy would cut the app off from its window, which then looks closed to it.
 * `scripts` admits our own modules, which may ask our own addresses; `inlineStyles` what the API reader styles itself by.
 * With no-referrer a browser posts our forms with `Origin: null`; the form token is what proves that they are ours.
 */
export function pageHeaders(
  options: { formAction?: string[]; mayBePopup?: boolean; scripts?: boolean; inlineStyles?: boolean } = {},
): Record<string, string> {
  const formAction = ["'self'", ...(options.formAction ?? [])].join(' ')
  const scripts = options.scripts ? "script-src 'self'; connect-src 'self'; " : ''
  const styles = options.inlineStyles ? "'self' 'unsafe-inline'" : "'self'"
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${scripts}style-src ${styles}; img-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': options.mayBePopup ? 'unsafe-none' : 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/**
 * The CSP source (CSP3 §2.3.1) that admits a validated redirect URI. A URL's host may hold `;`, `,`, `*` or a quote,
 * which would end the directive or widen it: such a host is not admitted. CSP cannot name an IPv6 address: its scheme.
 */
export function formTarget(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url) return "'self'"
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return url.protocol
  if (url.hostname.startsWith('[')) return url.protocol
  return /^[a-z0-9._-]+$/.test(url.hostname) ? url.origin : "'self'"
}

/**
 * Where the sign-in form may lead: to the app, and on from there. Apps often answer their callback with a redirect to
 * another origin of theirs (the front end beside the back end), and Chromium would leave the person on our page. So the
 * chain may go on to any https address and, while the app itself is on this machine, to any port of it.
 */
export function formTargets(redirectUri: string): string[] {
  const onThisMachine = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|\?|$)/.test(redirectUri)
  return [formTarget(redirectUri), 'https:', ...(onThisMachine ? ['http://localhost:*', 'http://127.0.0.1:*'] : [])]
}
