import { buildProgram, type Call } from '../../../src/cli/program.ts'

/** Parses the words of a command line. Throws an Error with the message that a user would see. */
export async function parseCall(words: readonly string[]): Promise<Call> {
  let call: Call | undefined
  let message = ''
  const program = buildProgram({ out: () => {}, err: (text) => (message += text) }, async (parsed) => {
    call = parsed
  })
  await program.parseAsync([...words], { from: 'user' }).catch((error) => {
    throw message === '' ? error : new Error(message.trimEnd())
  })
  if (!call) throw new Error(`${words.join(' ')} is no call of a command.`)
  return call
}
