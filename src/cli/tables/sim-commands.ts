import { Argument, Option } from 'commander'
import { assetTypes } from '../../core/asset-type.ts'
import { type CommandRow, choice, jsonOption, required } from '../command-row.ts'

const scenarioName = [new Argument('<name>', 'the name of a scenario')]

export const simCommands: readonly CommandRow[] = [
  {
    name: 'reset',
    options: [
      choice(required('--confirm <word>', 'must be reset: removed data cannot be restored'), ['reset']),
      new Option('--imported', 'also remove imported data'),
    ],
    summary: 'remove all data and load the demo again (sim only)',
    description: `Does the same as POST /x/v1/reset and signs everyone out. Users of the demo keep their password and whether
      they are disabled or operators; operators of the demo's clients stay. Works only on a database that the demo filled.
      If data was imported into it, or an earlier version filled it, nothing is removed without --imported.`,
    examples: ['refdesk reset --confirm reset', 'refdesk reset --confirm reset --imported'],
  },
  {
    name: 'scenario list',
    options: [jsonOption()],
    summary: 'list scenarios and whether they are loaded (sim only)',
    description: 'Lists the scenarios that come with the service, and those that are loaded, by name.',
    examples: ['refdesk scenario list', 'refdesk scenario list --json'],
  },
  {
    name: 'scenario show',
    arguments: scenarioName,
    summary: 'show what a scenario is about and what it brought',
    description: `Shows the title of a scenario, what it shows, whose view to take and what to look at. If it is loaded, also
      the records that it brought.`,
    examples: ['refdesk scenario show tender-offer'],
  },
  {
    name: 'scenario load',
    arguments: [new Argument('<name-or-file>', 'the name of a scenario, or an .ndjson file')],
    summary: 'load a scenario (sim only)',
    description: `Loads all records of a scenario, which must be new, or none. Relative days count from the day of the service's
      clock. Running nodes serve the new data without a restart. docs/data.md describes the file.`,
    examples: ['refdesk scenario load tender-offer', 'refdesk scenario load ./mine.ndjson'],
  },
  {
    name: 'scenario unload',
    arguments: scenarioName,
    summary: 'remove what a scenario brought (sim only)',
    description: `Removes exactly what a scenario brought, also if it was changed since. Elections, sessions of its users and
      positions in its instruments go with it.`,
    examples: ['refdesk scenario unload tender-offer'],
  },
  {
    name: 'give',
    arguments: [
      new Argument('<user>', 'the name of a user'),
      new Argument('<symbol>', 'the symbol of an instrument, such as AAPL:xnas'),
      new Argument('<amount>', 'how much the account holds; 0 removes the position, a negative amount is short'),
    ],
    options: [
      new Option(
        '--account <account>',
        'an AccountId or AccountKey; by default the first that may trade the instrument',
      ),
      choice(new Option('--asset-type <type>', 'if the symbol has several, such as Stock or CfdOnStock'), assetTypes),
    ],
    summary: 'set what a user holds of an instrument (sim only)',
    description: `Sets a position of a user. It has no start date and replaces what the account had of the instrument. An unknown or
      ambiguous name is an error that lists the choices. A negative amount needs two dashes before it.`,
    examples: [
      'refdesk give ada AAPL:xnas 250 --asset-type Stock',
      'refdesk give ada MSFT:xnas 0 --account 9226397',
      'refdesk give ada MSFT:xnas --asset-type CfdOnStock -- -50',
    ],
  },
]
