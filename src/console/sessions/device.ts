/** In order: most browsers also name the browsers they imitate. */
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

const firstMatch = (all: typeof programs, text: string): string | undefined =>
  all.find(([pattern]) => pattern.test(text))?.[1]

/** `Firefox on Windows`. Unknown programs keep the name they give themselves. */
export function deviceOf(userAgent: string): string {
  const ownName = userAgent.split(/[\s/(]/, 1)[0]?.slice(0, 40)
  const program =
    firstMatch(programs, userAgent) ?? (ownName === 'Mozilla' ? 'A browser' : ownName || 'Unknown program')
  const system = firstMatch(systems, userAgent)
  return system ? `${program} on ${system}` : program
}
