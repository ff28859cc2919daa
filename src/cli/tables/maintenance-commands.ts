import { Option } from 'commander'
import { type CommandRow, jsonOption, required } from '../command-row.ts'

export const maintenanceCommands: readonly CommandRow[] = [
  {
    name: 'keys rotate',
    options: [new Option('--leaked', 'replace all keys with new ones and end their tokens; apps refresh and continue')],
    summary: 'sign with the next key from now on',
    description: `Signs access tokens with the next key, which is already published. Tokens of the previous key stay valid
      until they expire. With --leaked, new keys replace all of them, including the next one.`,
    examples: ['refdesk keys rotate', 'refdesk keys rotate --leaked'],
  },
  {
    name: 'log',
    options: [
      new Option('--follow', 'print new requests as they come, until Ctrl-C'),
      new Option('--status <status>', 'only this status, or class such as 4xx'),
      new Option('--app <appkey>', 'only requests of this app'),
      new Option('--path <text>', 'only requests whose path and query contain this'),
      new Option('--last <number>', 'how many requests to print first (20)'),
      jsonOption(),
    ],
    summary: 'print the latest requests of the running service',
    description: `Prints the latest requests of all clients, without secrets, with the reason of every error. Reads from the
      service that runs with the same settings; REQUEST_LOG must be on.`,
    examples: ['refdesk log', 'refdesk log --follow --status 4xx', 'refdesk log --last 100 --json'],
  },
  {
    name: 'doctor',
    options: [new Option('--json', 'print JSON instead of text')],
    summary: 'check this installation and say what to do',
    description: `Checks settings, disk, database, schema, replica, clocks, keys and the audit log, and in live looks for demo
      credentials. Changes nothing. Exits with 1 if there is a problem.`,
    examples: ['refdesk doctor', 'refdesk doctor --json'],
  },
  {
    name: 'audit verify',
    options: [
      new Option('--head <seq:mac>', 'a head that the service logged; also detects a truncated log'),
      new Option('--file <file>', 'check an archive instead'),
    ],
    summary: 'check the audit log',
    description:
      'Finds entries of the audit log that were changed, removed or reordered. Exits with 1 if there are any.',
    examples: ['refdesk audit verify', 'refdesk audit verify --file audit-2026-09.ndjson'],
  },
  {
    name: 'audit archive',
    options: [
      required('--before <yyyy-mm>', 'the first month that stays'),
      required('--file <file>', 'a new file for the entries'),
    ],
    summary: 'move old months of the audit log to a file',
    description: `Moves all entries before a month from the log to a file. Keep the file: audit verify --file checks it.`,
    examples: ['refdesk audit archive --before 2026-10 --file audit-2026-09.ndjson'],
  },
]
