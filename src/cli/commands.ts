import type { Command, Option, Words } from './command.ts'
import { shells } from './completion.ts'

const serviceCommands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'start the service',
    text: `Starts the service and tells where it is. Without DATABASE_URL it brings its own PostgreSQL, with the
      data in DATA_DIR. Ctrl-C or SIGTERM ends it, when what is under way has been answered.`,
    examples: ['refdesk serve', 'refdesk serve --port 4800 --data-dir ./other', 'DEMO=off WORKERS=auto refdesk serve'],
  },
  {
    name: 'token',
    words: { name: 'USER' },
    summary: 'print a 24-hour token of a demo user, or of ada (sim only)',
    text: `Prints a token that opens the REST interface for a day, without a sign-in. It is of the demo app and a
      user of the demo: ada, bo or cy. In the sim environment only.`,
    examples: ['TOKEN=$(refdesk token)', 'refdesk token bo'],
  },
]

const client: Option = { name: 'client', value: 'ID', isRequired: true, help: 'the ClientId of their client' }

const userCommands: readonly Command[] = [
  {
    name: 'users add',
    words: { name: 'NAME', isRequired: true },
    options: [client],
    summary: 'add a user',
    text: `Adds a user to a client that there is. The password is the first line of standard input; at a terminal,
      or without input, one is made and shown this once.`,
    examples: ['refdesk users add eve --client 10001', 'echo "$PASSWORD" | refdesk users add eve --client 10001'],
  },
  {
    name: 'users disable',
    words: { name: 'NAME', isRequired: true },
    summary: 'end all sessions of a user, who can no longer sign in',
    text: 'Ends all sessions of a user, on every node and at once. The user cannot sign in until users enable.',
    examples: ['refdesk users disable eve'],
  },
  {
    name: 'users enable',
    words: { name: 'NAME', isRequired: true },
    summary: 'let a disabled user sign in again',
    text: 'Lets a user sign in again who was disabled. The sessions that ended then do not come back.',
    examples: ['refdesk users enable eve'],
  },
]

const key = '0123456789abcdef0123456789abcdef'
const appKey: Words = { name: 'APPKEY', isRequired: true }

const appCommands: readonly Command[] = [
  {
    name: 'apps list',
    options: [{ name: 'client', value: 'ID', help: 'only the apps of the client with this ClientId' }],
    summary: 'all apps with their secrets, when valid and last used',
    text: 'Lists the apps of all clients, each with its secrets: when they are valid and when they were last used.',
    examples: ['refdesk apps list', 'refdesk apps list --client 10001'],
  },
  {
    name: 'apps create',
    options: [
      { name: 'client', value: 'ID', isRequired: true, help: 'the ClientId of its owner' },
      { name: 'name', value: 'NAME', isRequired: true, help: 'what people see when they sign in' },
      {
        name: 'flow',
        value: 'FLOW',
        isRequired: true,
        choices: ['Code', 'PKCE', 'Implicit'],
        help: 'how it signs in: Code, PKCE or Implicit',
      },
      { name: 'description', value: 'TEXT', help: 'what it is for' },
      { name: 'redirect-uri', value: 'URI', isRepeatable: true, help: 'where the sign-in leads back to' },
      { name: 'trading', help: 'ask for the right to trade, which live must approve' },
    ],
    summary: 'make an app; its key and secret are printed',
    text: `Makes an app for a client, by the rules that developers have. Its key is printed, and its secret if it
      has one.`,
    examples: [
      'refdesk apps create --client 10001 --name "Pocket Charts" --flow Code',
      'refdesk apps create --client 10001 --name Web --flow PKCE --redirect-uri http://localhost/callback',
    ],
  },
  {
    name: 'apps approve',
    words: appKey,
    summary: 'let an app trade that has asked to (in live)',
    text: `Lets an app trade that is Pending, that is whose owner has asked for it. The tokens that it gets from
      then on may trade.`,
    examples: [`refdesk apps approve ${key}`],
  },
  {
    name: 'apps secret rotate',
    words: appKey,
    options: [
      {
        name: 'overlap',
        value: 'DURATION',
        isRequired: true,
        help: 'how long the other secrets still work, at most: 7d, 12h, 90m; 0h ends them now',
      },
    ],
    summary: 'make a secret; the others end after --overlap',
    text: `Makes a secret that is valid for a year, and prints it. Bring it to the app before the overlap is over:
      then the others end.`,
    examples: [`refdesk apps secret rotate ${key} --overlap 7d`],
  },
  {
    name: 'apps deactivate',
    words: appKey,
    summary: 'end all sessions of an app, until its owner activates it',
    text: `Ends all sessions, tokens and codes of an app. Nobody signs in to it until its owner makes it active
      again.`,
    examples: [`refdesk apps deactivate ${key}`],
  },
]

const keeperCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    options: [{ name: 'leaked', help: 'also end all older tokens: apps refresh and go on' }],
    summary: 'sign with the next key from now on',
    text: `Signs access tokens with the next key, which verifiers know already. Tokens of the key before it stay
      valid until they expire, unless it leaked.`,
    examples: ['refdesk keys rotate', 'refdesk keys rotate --leaked'],
  },
  {
    name: 'audit verify',
    options: [
      { name: 'head', value: 'SEQ:MAC', help: 'a head that the service logged: finds a cut end too' },
      { name: 'file', value: 'FILE', help: 'check an archive instead' },
    ],
    summary: 'check the audit log',
    text: `Finds entries of the audit log that were changed, removed or put in another order, and says which. Ends
      with 1 when there are any.`,
    examples: ['refdesk audit verify', 'refdesk audit verify --file audit-2026-09.ndjson'],
  },
  {
    name: 'audit archive',
    options: [
      { name: 'before', value: 'YYYY-MM', isRequired: true, help: 'the first month that stays' },
      { name: 'file', value: 'FILE', isRequired: true, help: 'where the entries go; a new file' },
    ],
    summary: 'move finished months of the audit log to a file',
    text: `Moves the entries from before a month to a file, and takes them out of the log. Keep the file: audit
      verify --file checks it.`,
    examples: ['refdesk audit archive --before 2026-10 --file audit-2026-09.ndjson'],
  },
]

// As data/kinds.ts has them; written here so that help and completion need not load it.
const kinds = 'exchange instrument optionRoot client account user accessRight position event app'.split(' ')

const dataCommands: readonly Command[] = [
  {
    name: 'import',
    words: { name: 'FILE', isRepeatable: true },
    options: [
      { name: 'dry-run', help: 'check everything, change nothing' },
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['ndjson', 'csv', 'seev031', 'mt564'],
        help: 'what the files are: ndjson, csv, seev031 or mt564; else their endings tell',
      },
      { name: 'skip-unknown', help: 'without messages about securities that no instrument is of' },
      { name: 'skip-other', help: 'without messages that are neither seev.031 nor MT564' },
      { name: 'today', value: 'DATE', help: 'the day that relative days such as @+12 are counted from' },
    ],
    summary: 'load records (.ndjson, .csv) and messages (.xml, .fin)',
    text: `Loads records and custodians' messages, also packed (.gz); - is standard input. Either everything is
      right and applied, or the faults are told and nothing is changed. Running nodes serve it without a restart.
      docs/data.md describes every kind of record.`,
    examples: ['refdesk import instruments.ndjson more.csv.gz', 'refdesk import --dry-run notifications.xml'],
  },
  {
    name: 'export',
    options: [
      {
        name: 'kind',
        value: 'KIND',
        isRepeatable: true,
        choices: kinds,
        help: `only this kind: ${kinds.join(', ')}`,
      },
      { name: 'file', value: 'FILE', help: 'into a file, .ndjson or .ndjson.gz, instead of standard output' },
    ],
    summary: 'write all records',
    text: 'Writes all records, or those of some kinds, as NDJSON that import reads back.',
    examples: ['refdesk export --file everything.ndjson.gz', 'refdesk export --kind instrument --kind optionRoot'],
  },
]

const ownCommands: readonly Command[] = [
  {
    name: 'completion',
    isOwn: true,
    words: { name: 'SHELL', isRequired: true, choices: shells },
    summary: `print a script that completes commands in ${shells.join(', ')}`,
    text: `Prints a script by which a shell completes commands, options and their values. In ~/.bashrc, or in
      ~/.zshrc after compinit, source it; fish reads it from a file. refdesk itself must be in the PATH.`,
    examples: [
      'source <(refdesk completion bash)',
      'source <(refdesk completion zsh)',
      'refdesk completion fish > ~/.config/fish/completions/refdesk.fish',
    ],
  },
  {
    name: 'help',
    isOwn: true,
    words: { name: 'COMMAND', isRepeatable: true, choices: ['settings'] },
    summary: 'all about one of these, also as refdesk COMMAND --help',
    text: 'Tells what a command does and takes; alone, which commands there are. help settings lists all settings.',
    examples: ['refdesk help import', 'refdesk apps secret rotate --help', 'refdesk help settings'],
  },
  {
    name: 'version',
    isOwn: true,
    summary: 'which refdesk this is',
    text: 'Prints the version.',
    examples: ['refdesk version'],
  },
]

/** All there is, in the order of the help. */
export const commands: readonly Command[] = [
  ...serviceCommands,
  ...userCommands,
  ...appCommands,
  ...dataCommands,
  ...keeperCommands,
  ...ownCommands,
]
