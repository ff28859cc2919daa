import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../../../docs/data.md', import.meta.url), 'utf8')

/** The records in docs/data.md, a line each. Those of a scenario are for a service with the demo data. */
export const documentedRecords: readonly string[] = page
  .replace(/\n## Scenarios\n.*?(?=\n## )/s, '')
  .split('\n')
  .filter((line) => line.startsWith('{"kind"'))
