import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'

type Input = NodeJS.ReadableStream & { isTTY?: boolean }
type Terminal = Readonly<{ input: Input; output: Pick<NodeJS.WritableStream, 'write'> }>

const terminal: Terminal = { input: process.stdin, output: process.stderr }

/** Reads a password from a pipe; undefined at a terminal. */
export async function readPassword({ input }: Terminal = terminal): Promise<string | undefined> {
  if (input.isTTY) return undefined
  const text = (await readText(input)).split('\n', 1)[0]?.trimEnd()
  return text || undefined
}

/** Reads a new password from a pipe. At a terminal it is typed twice and not shown. */
export async function askPassword({ input, output }: Terminal = terminal): Promise<string | undefined> {
  if (!input.isTTY) return readPassword({ input, output })
  // Readline edits the line and echoes into this, which discards it.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: true, historySize: 0 })
  lines.on('SIGINT', () => lines.close())
  const typed = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    output.write(question)
    const { value, done } = await typed.next()
    output.write('\n')
    if (done) throw new Error('Stopped. Nothing was changed.')
    return value
  }
  try {
    const password = await ask('New password: ')
    if ((await ask('Repeat it: ')) !== password) throw new Error('The passwords differ. Nothing was changed.')
    return password || undefined
  } finally {
    lines.close()
  }
}
