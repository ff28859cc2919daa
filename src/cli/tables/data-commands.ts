import { Argument, Option } from 'commander'
import { historyKinds } from '../../data/history/kinds.ts'
import { formats } from '../../data/sources/sources.ts'
import { type CommandRow, choice, jsonOption, list, repeatable } from '../command-row.ts'

// The kinds of data/kinds.ts, repeated here so that help and completion start fast. A test compares them.
const kinds =
  'calendar exchange instrument optionRoot client account user accessRight position event app election'.split(' ')

export const dataCommands: readonly CommandRow[] = [
  {
    name: 'import',
    arguments: [new Argument('[files...]', 'files to load; - is standard input')],
    options: [
      new Option('--dry-run', 'check everything, change nothing'),
      new Option('--explain', 'show what each value of messages becomes, without a database'),
      choice(new Option('--format <format>', 'format of the files, if their names do not say'), formats),
      new Option('--skip-unknown', 'skip messages about securities that no instrument has'),
      new Option('--skip-other', 'skip messages that are neither seev.031 nor MT564'),
      new Option('--today <date>', 'the day that relative days such as @+12 are counted from'),
      new Option('--undo <run>', 'undo an import, by the number that the import printed'),
    ],
    summary: 'load records (.ndjson, .csv) and messages (.xml, .fin)',
    description: `Loads records and custodians' messages, also compressed (.gz). Either everything is valid and applied,
      or every error is listed and nothing changes. Running nodes serve the new data without a restart. docs/data.md
      describes every kind of record.`,
    examples: [
      'refdesk import instruments.ndjson more.csv.gz',
      'refdesk import --dry-run notifications.xml',
      'refdesk import --undo 17',
    ],
  },
  {
    name: 'init',
    options: [
      new Option('--yes', 'take the defaults without asking'),
      new Option('--firm <name>', 'name of your firm, the first client'),
      new Option('--user <name>', 'name of the first user'),
      new Option('--exchange <name>', 'name of the first exchange'),
      new Option('--instrument <name>', 'name of the first instrument, a stock'),
      new Option('--redirect-uri <uri>', 'redirect URI of the first app'),
      new Option('--currency <code>', 'currency of all of them (USD)'),
      new Option('--time-zone <name>', 'time zone of the exchange (that of this machine)'),
      new Option('--file <file>', 'the file to write (first.ndjson)'),
    ],
    summary: 'write a first data file of your own',
    description: `Asks five questions and writes a file with an exchange, an instrument, a client with an account, a user, a right
      and an app, with keys and secrets made for you. Prints the commands that put the instrument on the screen. Needs no
      database.`,
    examples: [
      'refdesk init',
      'refdesk init --yes',
      'refdesk init --yes --firm "Example Ltd" --user eve --file mine.ndjson',
    ],
  },
  {
    name: 'history',
    arguments: [
      new Argument('<kind>', `${historyKinds.slice(0, -1).join(', ')} or ${historyKinds.at(-1)}`),
      new Argument('<id>', 'its key, such as a Uic'),
    ],
    options: [
      new Option('--limit <number>', 'how many runs to show (20)'),
      new Option('--json', 'one JSON object per line'),
    ],
    summary: 'show what changed in a record, and when',
    description: `Shows what each run changed in a record, latest first: the fields that differ, before and after, and the file or
      message that changed them. The id of a position is "ACCOUNTKEY UIC ASSETTYPE" with its day, if it has one; that of
      access rights the ClientKey.`,
    examples: ['refdesk history instrument 1000', 'refdesk history event CA7109655-1811 --json'],
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of the records',
    description: `Prints the JSON Schema of a line of an import file, made of the schemas that import checks by, for editors and
      other validators. Needs no database.`,
    examples: ['refdesk schema > refdesk.schema.json'],
  },
  {
    name: 'export',
    options: [
      repeatable(choice(new Option('--kind <kind>', 'only this kind; can be repeated'), kinds)),
      new Option('--file <file>', 'write to a .ndjson or .ndjson.gz file instead of standard output'),
      new Option('--since <number>', 'only elections after this Number, with --kind election'),
    ],
    summary: 'write all records',
    description: `Writes all records, or those of some kinds, as NDJSON that import can read. Elections are written only by
      name: they are what users of the service have chosen, in order and each once. Prints the cursor from which refdesk changes
      goes on, on standard error.`,
    examples: ['refdesk export --file everything.ndjson.gz', 'refdesk export --kind instrument --kind optionRoot'],
  },
  {
    name: 'changes',
    options: [
      new Option('--since <cursor>', 'only changes after this cursor, as an export or a change printed it'),
      list(choice(new Option('--kinds <kinds>', 'only these kinds, separated by commas'), kinds.slice(0, -2))),
      new Option('--follow', 'wait for new changes'),
      jsonOption(),
    ],
    summary: 'print what has changed in the data',
    description: `Prints which records have changed after a cursor, and which of their fields: all kinds, in order and each once. The
      cursor to go on from is printed on standard error; with --json each change has its own. Without --since it begins now.`,
    examples: [
      'refdesk changes --follow',
      'refdesk changes --since 5f0c2f6ad1e84739.2s.9a31c07e --kinds instrument,event --json',
    ],
  },
]
