/** The first API calls in three languages. They run as printed, with an access token in TOKEN. */

export const languages = [
  { id: 'curl', name: 'curl' },
  { id: 'ts', name: 'TypeScript' },
  { id: 'py', name: 'Python' },
] as const

type LanguageId = (typeof languages)[number]['id']

export type ChainId = number | undefined

type Call = Readonly<{ title: string; path: string; isPublic?: boolean }>

function calls(chain: ChainId): readonly Call[] {
  // Without OptionSpaceSegment the response lists expiries but no contracts.
  const chainPath = `/ref/v1/instruments/contractoptionspaces/${chain}?OptionSpaceSegment=DefaultDates`
  return [
    { title: 'Check that the service is up', path: '/ref/isalive', isPublic: true },
    { title: 'Search for Apple', path: '/ref/v1/instruments?Keywords=apple' },
    ...(chain === undefined ? [] : [{ title: "Get Apple's option chain", path: chainPath }]),
    { title: 'List your corporate actions', path: '/ca/v2/events' },
  ]
}

/** One command per call for curl, because not every shell accepts pasted comments; one program for the others. */
export function codeSamples(language: LanguageId, baseUrl: string, chain: ChainId): { title: string; code: string }[] {
  const all = calls(chain)
  if (language === 'ts') return [{ title: 'Save as first.ts, then run: node first.ts', code: typescript(baseUrl, all) }]
  if (language === 'py') return [{ title: 'Save as first.py, then run: python3 first.py', code: python(baseUrl, all) }]
  return all.map(({ title, path, isPublic }) => ({
    title,
    code: isPublic ? `curl "${baseUrl}${path}"` : `curl -H "Authorization: Bearer $TOKEN" \\\n"${baseUrl}${path}"`,
  }))
}

function typescript(baseUrl: string, all: readonly Call[]): string {
  return `import { env } from 'node:process'

const base = '${baseUrl}'
const headers = { authorization: \`Bearer \${env.TOKEN}\` }

async function show(title: string, path: string) {
  const response = await fetch(base + path, { headers })
  console.log(title, response.status, await response.text())
}

${all.map(({ title, path }) => `await show(${JSON.stringify(title)}, '${path}')`).join('\n')}
`
}

function python(baseUrl: string, all: readonly Call[]): string {
  return `import os
import urllib.request

base = "${baseUrl}"
headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}

def show(title, path):
    request = urllib.request.Request(base + path, headers=headers)
    with urllib.request.urlopen(request) as response:
        print(title, response.status, response.read().decode())

${all.map(({ title, path }) => `show(${JSON.stringify(title)}, "${path}")`).join('\n')}
`
}
