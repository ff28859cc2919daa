import { Argument, Option } from 'commander'
import { type CommandRow, jsonOption } from '../command-row.ts'

const userName = new Argument('<user>', 'a user, such as ada')

export const eventCommands: readonly CommandRow[] = [
  {
    name: 'events',
    arguments: [userName, new Argument('[eventid]', 'show this event with its options, deadlines and holdings')],
    options: [new Option('--lapsed', 'also list lapsed events'), jsonOption()],
    summary: 'list the corporate actions that a user sees, or show one',
    description: `Lists the events of what the user's client holds, as GET /ca/v2/events does, by date. With an id it shows the
      event, its options, their deadlines, and what each account holds and has elected.`,
    examples: ['refdesk events ada', 'refdesk events ada CA7109655-1811', 'refdesk events ada --lapsed --json'],
  },
  {
    name: 'elect',
    arguments: [
      userName,
      new Argument('<eventid>', 'the event'),
      new Argument('[choices...]', 'an option and how much of the holding gets it, such as 1=140'),
    ],
    options: [
      new Option('--account <id>', 'AccountId or AccountKey, if several accounts hold it'),
      new Option('--withdraw', 'withdraw everything that was elected'),
    ],
    summary: 'elect options of an event for a user',
    description: `Replaces all elections of an account for an event, under the rules of PUT /ca/v2/elections. What is left gets the
      default option after the deadline. The audit log names the user and the command line.`,
    examples: [
      'refdesk elect ada CA7109655-1811 1=140 3=100',
      'refdesk elect ada CA7109655-1811 1=420 --account 9226397',
      'refdesk elect ada CA7109655-1811 --withdraw',
    ],
  },
]

export const clockCommandRow: CommandRow = {
  name: 'clock',
  arguments: [new Argument('[change]', 'a time, a day, a step such as +3d, freeze, run or reset')],
  summary: 'show or change the time of the service (sim only)',
  description: `Shows the time of the service, or changes it on every node, as PUT /x/v1/clock does. freeze stops the clock, run
    starts it again, reset returns to real time. A step back needs two dashes before it.`,
  examples: [
    'refdesk clock',
    'refdesk clock +3d',
    'refdesk clock 2026-12-18T12:00:00Z',
    'refdesk clock -- -2h',
    'refdesk clock reset',
  ],
}
