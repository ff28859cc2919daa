import type { TravelClock } from '../../core/clock.ts'
import type { Environment } from '../../core/environment.ts'
import { parseLoopbackUrl } from '../../core/network/loopback.ts'
import { assetUrl, fonts } from './assets.ts'
import { type Html, html, raw } from './html.ts'

type PageProps = {
  title: string | Html
  lang?: string
  environment: Environment
  body: Html
  /** Modules of public/. The page also works without them. */
  scripts?: readonly string[]
  head?: Html
}

/** The skeleton of every page. The window title has the environment, so that tabs and screenshots show it. */
export function page({ title, lang = 'en', environment, body, scripts = [], head }: PageProps): Html {
  return html`<!doctype html>
<html lang="${lang}" data-environment="${environment}">
<head>
<meta charset="utf-8">
<title>${title} · refdesk ${environment}</title>
${metadata}
${head ?? stylesheet}
${scripts.map(scriptTag)}
</head>
<body>
${body}
</body>
</html>
`
}

const metadata = html`<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${fonts.map((font) => html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${assetUrl(font)}">`)}
<link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}">`

const stylesheet = html`<link rel="stylesheet" href="${assetUrl('refdesk.css')}">`

const scriptTag = (script: string): Html => html`<script type="module" src="${assetUrl(script)}"></script>`

export function cardPage(props: PageProps & { travel?: ClockState | undefined }): Html {
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

export type ClockState = Readonly<{ now: Temporal.Instant; frozen: boolean }>

export function travelledOf(clock: TravelClock): ClockState | undefined {
  const { frozenAt, offsetMicroseconds } = clock.shift
  if (!frozenAt && offsetMicroseconds === 0) return undefined
  return { now: clock.now(), frozen: frozenAt !== undefined }
}

/** How far the service clock is from real time, if at all. */
export function travelOf(clock: TravelClock): { frozen: boolean; offsetSeconds: number } | undefined {
  const travelled = travelledOf(clock)
  if (!travelled) return undefined
  return { frozen: travelled.frozen, offsetSeconds: clock.real.now().until(travelled.now).total('seconds') }
}

const travelTexts: Record<string, { locale: string; title: string; now: string; still: string }> = {
  en: { locale: 'en-GB', title: 'Time travel.', now: 'Here it is', still: ', and time stands still' },
  de: { locale: 'de', title: 'Zeitreise.', now: 'Hier ist es', still: ', und die Zeit steht still' },
  da: { locale: 'da', title: 'Tidsrejse.', now: 'Her er klokken', still: ', og tiden står stille' },
}

/** Every page shows that the clock has travelled, because everything follows it; those of the console in their header. */
function travelBanner(travel: ClockState | undefined, lang = 'en'): Html | undefined {
  const text = travelTexts[lang] ?? travelTexts.en
  if (!travel || !text) return undefined
  const { now, frozen } = travel
  const shown = now.toLocaleString(text.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const time = html`<time datetime="${now.toString()}" data-clock="${frozen ? 'frozen' : 'running'}">${shown} UTC</time>`
  return html`<p class="travel" role="status"><strong>${text.title}</strong> ${text.now} ${time}${frozen && text.still}.</p>`
}

const environmentWord: Record<string, string> = { en: 'Environment', de: 'Umgebung', da: 'Miljø' }

function masthead(environment: Environment, lang = 'en'): Html {
  return html`<header class="masthead">
<span class="brand">${mark}refdesk</span>
<span class="env ${environment}"><span class="unseen">${environmentWord[lang] ?? 'Environment'}: </span>${environment}</span>
</header>`
}

/** The headers of every page.
 *  - `formAction`: where forms may lead besides this service. Chromium applies it to the whole redirect chain after a post.
 *  - `mayBePopup`: for a page that an app may have opened. With an opener policy its window would look closed to the app.
 *  - `scripts` allows our own modules and their requests; `inlineStyles` the styles of the API reader.
 *  With no-referrer, browsers post our forms with `Origin: null`; the form token proves that they are ours. */
export function pageHeaders(
  options: { formAction?: string[]; mayBePopup?: boolean; scripts?: boolean; inlineStyles?: boolean } = {},
): Record<string, string> {
  const formAction = ["'self'", ...(options.formAction ?? [])].join(' ')
  const scripts = options.scripts ? "script-src 'self'; connect-src 'self'; " : ''
  const styles = options.inlineStyles ? "'self' 'unsafe-inline'" : "'self'"
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${scripts}style-src ${styles}; img-src 'self'; font-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': options.mayBePopup ? 'unsafe-none' : 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/** The CSP source (CSP3 §2.3.1) for a validated redirect URI. Hosts with `;`, `,`, `*` or a quote are not admitted, because
 *  they would end or widen the directive. CSP cannot name an IPv6 address, so its scheme is used. */
export function formTarget(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url) return "'self'"
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return url.protocol
  if (url.hostname.startsWith('[')) return url.protocol
  return /^[a-z0-9._-]+$/.test(url.hostname) ? url.origin : "'self'"
}

/** Where the sign-in form may lead: to the app, and on from there. Callbacks often redirect to another origin, such as the
 *  front end, so the chain may continue to any https URL and, for an app on this machine, to any port of it. */
export function formTargets(redirectUri: string): string[] {
  const isLocal = parseLoopbackUrl(redirectUri) !== undefined
  return [formTarget(redirectUri), 'https:', ...(isLocal ? ['http://localhost:*', 'http://127.0.0.1:*'] : [])]
}
