/** The first that fits is meant: most browsers also name those that they want to be taken for. */
const programs: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(python|aiohttp|httpx)/i, 'Python'],
  [/^(node|undici|axios)\b/i, 'Node.js'],
  [/^PostmanRuntime\//, 'Postman'],
  [/^refdesk token$/, 'refdesk token'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstFit = (all: typeof programs, text: string): string | undefined =>
  all.find(([pattern]) => pattern.test(text))?.[1]

/** What the service itself says of a token that was made for a day. */
const dayToken = '24-hour token, '

/** `Firefox on Windows`: a user agent as people recognise it. What is not known keeps the name that it gives itself. */
export function deviceOf(userAgent: string): string {
  if (userAgent.startsWith(dayToken)) return `${dayToken}made with ${deviceOf(userAgent.slice(dayToken.length))}`
  const ownName = userAgent.split(/[\s/(]/, 1)[0]?.slice(0, 40)
  const program = firstFit(programs, userAgent) ?? (ownName === 'Mozilla' ? 'A browser' : ownName || 'Unknown program')
  const system = firstFit(systems, userAgent)
  return system ? `${program} on ${system}` : program
}
