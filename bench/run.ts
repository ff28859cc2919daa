import { benchAuth } from './auth/auth.ts'
import { benchConsole } from './console/console.ts'
import { benchEvents } from './events/events.ts'
import { benchReference } from './reference/reference.ts'

/** npm run bench -- NAME [parts...]. docs/benchmarks.md describes what is measured and how it is kept fair. */
const benches: Record<string, (words: string[]) => Promise<void>> = {
  auth: benchAuth,
  console: benchConsole,
  events: benchEvents,
  reference: benchReference,
}

const [name = '', ...words] = process.argv.slice(2)
const bench = benches[name]
if (bench) {
  await bench(words)
} else {
  console.error(`Name a benchmark: ${Object.keys(benches).join(', ')}. Example: npm run bench -- auth`)
  process.exitCode = 1
}
