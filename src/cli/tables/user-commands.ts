import { Argument, Option } from 'commander'
import { type CommandRow, jsonOption, required } from '../command-row.ts'

const userName = [new Argument('<name>', 'the name that the user signs in with')]

export const userCommands: readonly CommandRow[] = [
  {
    name: 'users list',
    options: [new Option('--client <id>', 'only users of the client with this ClientId'), jsonOption()],
    summary: 'list users',
    description: 'Lists users by name: key, client, whether they are disabled or operators, and their last login.',
    examples: ['refdesk users list', 'refdesk users list --client 10001 --json'],
  },
  {
    name: 'users add',
    arguments: userName,
    options: [
      required('--client <id>', 'ClientId of the user’s client'),
      new Option('--operator', 'in sim, may change the clock, inject faults and reset'),
    ],
    summary: 'add a user',
    description: `Adds a user to an existing client. The password is read from the first line of standard input. At a
      terminal, or without input, a password is generated and shown once.`,
    examples: ['refdesk users add eve --client 10001', 'echo "$PASSWORD" | refdesk users add eve --client 10001'],
  },
  {
    name: 'users password',
    arguments: userName,
    summary: 'change the password of a user and end all their sessions',
    description: `Asks for a new password, or reads it from the first line of standard input. Ends all sessions and private
      calendars of the user on every node at once.`,
    examples: ['refdesk users password eve', 'echo "$PASSWORD" | refdesk users password eve'],
  },
  {
    name: 'users operator',
    arguments: userName,
    options: [new Option('--off', 'the user is no longer an operator')],
    summary: 'make a user an operator',
    description: `Makes a user an operator, or no longer one, on every node at once. In sim with SIM_CONTROLS=operators, only
      operators may change the clock, inject faults and reset.`,
    examples: ['refdesk users operator eve', 'refdesk users operator eve --off'],
  },
  {
    name: 'users disable',
    arguments: userName,
    summary: 'end all sessions of a user and block sign-in',
    description: `Ends all sessions and private calendars of a user on every node at once and blocks sign-in until users
      enable.`,
    examples: ['refdesk users disable eve'],
  },
  {
    name: 'users enable',
    arguments: userName,
    summary: 'let a disabled user sign in again',
    description: 'Lets a disabled user sign in again. What has ended stays ended.',
    examples: ['refdesk users enable eve'],
  },
  {
    name: 'clients list',
    options: [jsonOption()],
    summary: 'list clients',
    description:
      'Lists clients by ClientId: key, name, owner, and how many accounts, users and access rights they have.',
    examples: ['refdesk clients list', 'refdesk clients list --json'],
  },
  {
    name: 'accounts list',
    options: [new Option('--client <id>', 'only accounts of the client with this ClientId'), jsonOption()],
    summary: 'list accounts',
    description: 'Lists accounts by AccountId: key, client, account group and currency.',
    examples: ['refdesk accounts list', 'refdesk accounts list --client 10001 --json'],
  },
]
