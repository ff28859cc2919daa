import { Argument, Option } from 'commander'
import { type CommandRow, choice, jsonOption, repeatable, required } from './command-row.ts'
import { dataCommands } from './tables/data-commands.ts'
import { clockCommandRow, eventCommands } from './tables/event-commands.ts'
import { maintenanceCommands } from './tables/maintenance-commands.ts'
import { simCommands } from './tables/sim-commands.ts'
import { snapshotCommands } from './tables/snapshot-commands.ts'
import { userCommands } from './tables/user-commands.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

const serviceCommands: readonly CommandRow[] = [
  {
    name: 'serve',
    summary: 'start the service',
    description: `Starts the service and prints its addresses. Without DATABASE_URL it runs its own PostgreSQL and keeps
      the data in DATA_DIR. Ctrl-C or SIGTERM stops it after the requests in progress have been answered.`,
    examples: ['refdesk serve', 'refdesk serve --port 4800 --data-dir ./other', 'DEMO=off WORKERS=auto refdesk serve'],
  },
  {
    name: 'token',
    arguments: [new Argument('[user]', 'a user, such as ada, bo or cy').default('ada')],
    summary: 'print an access token of a user, valid for 24 hours (sim only)',
    description: `Prints an access token for any active user, without a sign-in: of the demo app, or of the console where
      there is none. Sim only.`,
    examples: ['TOKEN=$(refdesk token)', 'refdesk token bo'],
  },
  {
    name: 'mcp',
    arguments: [new Argument('[user]', 'a user of sim, such as ada, bo or cy').default('ada')],
    summary: 'serve the tools for agents over standard input and output',
    description: `Serves the Model Context Protocol to the program that starts it, such as a desktop assistant. Calls the
      service whose data is here as a user of sim; with BASE_URL and ACCESS_TOKEN any other service. Over HTTP, agents
      sign in at /mcp instead.`,
    examples: ['refdesk mcp', 'refdesk mcp bo --data-dir ~/refdesk-data'],
  },
]

const exampleKey = '0123456789abcdef0123456789abcdef'
const appKey = [new Argument('<appkey>', 'the AppKey')]

const appCommands: readonly CommandRow[] = [
  {
    name: 'apps list',
    options: [new Option('--client <id>', 'only apps of the client with this ClientId'), jsonOption()],
    summary: 'list apps with their secrets',
    description: 'Lists the apps of all clients with their secrets: validity and last use.',
    examples: ['refdesk apps list', 'refdesk apps list --client 10001 --json'],
  },
  {
    name: 'apps create',
    options: [
      required('--client <id>', 'ClientId of the owner'),
      required('--name <name>', 'name that users see when they sign in'),
      choice(required('--flow <flow>', 'sign-in flow'), ['Code', 'PKCE', 'Implicit']),
      new Option('--description <text>', 'what the app is for'),
      repeatable(new Option('--redirect-uri <uri>', 'redirect URI; can be repeated')),
      new Option('--trading', 'request trading, which an operator approves in live'),
    ],
    summary: 'create an app and print its key and secret',
    description: 'Creates an app for a client under the same rules as for developers. Prints its AppKey and secret.',
    examples: [
      'refdesk apps create --client 10001 --name "Pocket Charts" --flow Code',
      'refdesk apps create --client 10001 --name Web --flow PKCE --redirect-uri http://localhost/callback',
    ],
  },
  {
    name: 'apps approve',
    arguments: appKey,
    summary: 'approve an app that requested trading (live)',
    description: 'Approves a Pending app for trading. Tokens issued from then on are read-write.',
    examples: [`refdesk apps approve ${exampleKey}`],
  },
  {
    name: 'apps secret rotate',
    arguments: appKey,
    options: [
      required('--overlap <duration>', 'how long the old secrets keep working: 7d, 12h, 90m; 0h ends them now'),
    ],
    summary: 'create a secret; the old ones end after the overlap',
    description: `Creates a secret that is valid for a year and prints it. Deploy it before the overlap ends: then the old
      secrets stop working.`,
    examples: [`refdesk apps secret rotate ${exampleKey} --overlap 7d`],
  },
  {
    name: 'apps deactivate',
    arguments: appKey,
    summary: 'deactivate an app and end its sessions',
    description: `Ends all sessions, tokens and codes of an app. No one can sign in to it until its owner activates it
      again.`,
    examples: [`refdesk apps deactivate ${exampleKey}`],
  },
]

const infoCommands: readonly CommandRow[] = [
  {
    name: 'completion',
    arguments: [new Argument('<shell>', 'your shell').choices(shells)],
    summary: 'print a completion script for bash, zsh or fish',
    description: `Prints a script that completes commands, options and values. Source it in ~/.bashrc, or in ~/.zshrc after
      compinit; fish reads it from a file. refdesk must be in the PATH.`,
    examples: [
      'source <(refdesk completion bash)',
      'source <(refdesk completion zsh)',
      'refdesk completion fish > ~/.config/fish/completions/refdesk.fish',
    ],
  },
  {
    name: 'help',
    arguments: [new Argument('[command...]', 'a command, or settings')],
    summary: 'show help for a command',
    description: 'Shows what a command does and takes. `help settings` lists all settings.',
    examples: ['refdesk help import', 'refdesk apps secret rotate --help', 'refdesk help settings'],
  },
  { name: 'version', summary: 'print the version', description: 'Prints the version.', examples: ['refdesk version'] },
]

export const groups: Readonly<Record<string, string>> = {
  users: 'list, add, disable and enable users, change passwords, choose operators',
  clients: 'list clients',
  accounts: 'list accounts',
  apps: 'list, create and approve apps',
  'apps secret': 'rotate secrets',
  snapshot: 'save, restore, list and delete snapshots',
  scenario: 'list, show, load and unload scenarios',
  keys: 'rotate the signing key',
  audit: 'check and archive the audit log',
}

export const commands: readonly CommandRow[] = [
  ...serviceCommands,
  ...userCommands,
  ...appCommands,
  ...dataCommands,
  ...eventCommands,
  clockCommandRow,
  ...simCommands,
  ...snapshotCommands,
  ...maintenanceCommands,
  ...infoCommands,
]
