import { Argument } from 'commander'
import { type CommandRow, jsonOption } from '../command-row.ts'

const name = [new Argument('<name>', 'the name of the snapshot')]

export const snapshotCommands: readonly CommandRow[] = [
  {
    name: 'snapshot save',
    arguments: name,
    summary: 'save all data and the clock under a name (sim only)',
    description: `Saves all data, apps, users, positions, elections, sessions, tokens and the clock. Replaces the snapshot that
      has the name. There are at most 20.`,
    examples: ['refdesk snapshot save before-each'],
  },
  {
    name: 'snapshot restore',
    arguments: name,
    summary: 'make everything what it was when the snapshot was saved (sim only)',
    description: `Restores everything that the snapshot has, or nothing. Running nodes follow within a second. Sessions and
      tokens of before the snapshot work; sessions that began after it end. The audit log, signing keys, who is an operator and
      the passwords of operators stay.`,
    examples: ['refdesk snapshot restore before-each'],
  },
  {
    name: 'snapshot list',
    options: [jsonOption()],
    summary: 'list the snapshots (sim only)',
    description: 'Lists the snapshots: when they were saved, the time of the service that they have, and their size.',
    examples: ['refdesk snapshot list', 'refdesk snapshot list --json'],
  },
  {
    name: 'snapshot delete',
    arguments: name,
    summary: 'delete a snapshot (sim only)',
    description: 'Deletes a snapshot. The data of the service stays.',
    examples: ['refdesk snapshot delete before-each'],
  },
]
