/** The first calls that somebody makes, in the language they work in. They run as printed, with the token in TOKEN. */

export const languages = [
  { id: 'curl', name: 'curl' },
  { id: 'ts', name: 'TypeScript' },
  { id: 'py', name: 'Python' },
] as const

export type LanguageId = (typeof languages)[number]['id']

type Call = Readonly<{ title: string; path: string; isOpen?: boolean }>

/** Without it the answer has the expiries alone, and no contracts. */
const nextExpiries = 'OptionSpaceSegment=DefaultDates'

/** The option root of a chain to begin with, where there is one that the reader may see. */
export type ChainId = number | undefined

function calls(chain: ChainId): readonly Call[] {
  return [
    { title: 'Is it alive?', path: '/ref/isalive', isOpen: true },
    { title: 'What is called Apple?', path: '/ref/v1/instruments?Keywords=apple' },
    ...(chain === undefined
      ? []
      : [{ title: "Apple's option chain", path: `/ref/v1/instruments/contractoptionspaces/${chain}?${nextExpiries}` }]),
    { title: 'What happens to what you hold?', path: '/ca/v2/events' },
  ]
}

export type Printed = Readonly<{ title: string; code: string }>

/** For curl one command each, because a comment between them would not survive being pasted into every shell; for the
 *  others a whole program. */
export function firstCalls(language: LanguageId, baseUrl: string, chain: ChainId): readonly Printed[] {
  const all = calls(chain)
  if (language === 'ts')
    return [{ title: 'Save it as first.ts, then run: node first.ts', code: typescript(baseUrl, all) }]
  if (language === 'py')
    return [{ title: 'Save it as first.py, then run: python3 first.py', code: python(baseUrl, all) }]
  return all.map(({ title, path, isOpen }) => ({
    title,
    code: isOpen ? `curl "${baseUrl}${path}"` : `curl -H "Authorization: Bearer $TOKEN" \\\n"${baseUrl}${path}"`,
  }))
}

function typescript(baseUrl: string, all: readonly Call[]): string {
  return `import { env } from 'node:process'

const base = '${baseUrl}'
const headers = { authorization: \`Bearer \${env.TOKEN}\` }

async function show(title: string, path: string) {
  const answer = await fetch(base + path, { headers })
  console.log(title, answer.status, await answer.text())
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
    with urllib.request.urlopen(request) as answer:
        print(title, answer.status, answer.read().decode())


${all.map(({ title, path }) => `show(${JSON.stringify(title)}, "${path}")`).join('\n')}
`
}
