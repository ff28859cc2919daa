import type { Option } from 'commander'
import { flagOf, settings } from '../config.ts'
import type { CommandRow } from './command-row.ts'
import { groups, shells } from './commands.ts'

/** A word that may come next, and its meaning. */
type Choice = Readonly<{ word: string; help: string }>
/** A position on the command line: after the words of a group or of a command. */
type Position = Readonly<{ at: string; isCommand: boolean; next: readonly Choice[]; options: readonly Option[] }>

export function completionScript(shell: string, commands: readonly CommandRow[]): string {
  const script = { bash, zsh, fish }[shell]
  if (!script) throw new Error(`No completion for ${shell}. Choose one of: ${shells.join(', ')}.`)
  return script(positionsOf(commands), valuesOf(commands))
}

/** Every place, the longer ones first: of those that a command line begins with, the first is the one. */
function positionsOf(commands: readonly CommandRow[]): Position[] {
  const positions = commands.map(({ name, arguments: args = [], options = [] }): Position => {
    const choices = args.flatMap(({ argChoices = [], description }) =>
      argChoices.map((word) => ({ word, help: description })),
    )
    const next = name === 'help' ? [...nextIn('', commands), { word: 'settings', help: 'all settings' }] : choices
    return { at: name, isCommand: true, next, options }
  })
  const beginnings = commands.flatMap(({ name }) => {
    const words = name.split(' ')
    return words.map((_, count) => words.slice(0, count).join(' '))
  })
  const groups = [...new Set(beginnings)].map(
    (at): Position => ({ at, isCommand: false, next: nextIn(at, commands), options: [] }),
  )
  return [...positions, ...groups].sort((one, other) => other.at.length - one.at.length)
}

function nextIn(at: string, commands: readonly CommandRow[]): Choice[] {
  const start = at === '' ? '' : `${at} `
  const found = new Map<string, string>()
  for (const { name, summary } of commands) {
    if (!name.startsWith(start)) continue
    const [word = '', ...more] = name.slice(start.length).split(' ')
    if (more.length === 0) found.set(word, summary)
    else if (!found.has(word)) found.set(word, groups[`${start}${word}`] ?? '')
  }
  return [...found].map(([word, help]) => ({ word, help }))
}

/** The values of options. Options of the same name have the same values in every command. */
type Values = Readonly<{ all: readonly string[]; choices: readonly Chosen[] }>
type Chosen = readonly [option: string, choices: readonly string[]]

function valuesOf(commands: readonly CommandRow[]): Values {
  const options = commands.flatMap(({ options = [] }) => options).filter(({ required }) => required)
  const all = [...options.map((option) => option.name()), ...settings.map(({ variable }) => flagOf(variable))]
  const choices = options.flatMap((option) => (option.argChoices ? [[option.name(), option.argChoices] as const] : []))
  return { all: [...new Set(all)].map((name) => `--${name}`), choices }
}

const everywhere: readonly Choice[] = [
  { word: '--help', help: 'show help' },
  ...settings.map(({ variable, help }) => ({ word: `--${flagOf(variable)}`, help })),
]
const choicesOf = (options: readonly Option[]): Choice[] =>
  options.map((option) => ({ word: `--${option.name()}`, help: option.description }))
const wordsOf = (choices: readonly Choice[]): string => choices.map(({ word }) => word).join(' ')
const lines = (all: readonly string[]): string => all.join('\n')

/** A shell pattern of the words so far, each with a blank around it. A command may have further words. */
const pattern = ({ at, isCommand }: Position): string => (at === '' ? "' '" : `' ${at} '${isCommand ? '*' : ''}`)

function bash(positions: readonly Position[], values: Values): string {
  const chosen = ([name, choices]: Chosen): string =>
    `    --${name}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`
  const found = (position: Position): string =>
    `    ${pattern(position)}) next='${wordsOf(position.next)}' options='${wordsOf(choicesOf(position.options))}' ;;`
  return `# Completion of refdesk in bash. In ~/.bashrc: source <(refdesk completion bash)
_refdesk() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} at= skip= each next= options=
  # Bash splits --kind=x into three words.
  if [[ $word == '=' ]]; then word=; elif [[ $before == '=' ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  case $before in
${lines(values.choices.map(chosen))}
    ${values.all.join('|')}) return ;;
  esac
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    if [[ $each == '=' ]]; then continue; fi
    if [[ -n $skip ]]; then skip=; continue; fi
    case $each in
      ${values.all.join('|')}) skip=yes ;;
      -*) ;;
      *) at="$at $each" ;;
    esac
  done
  if [[ $at == ' help '* ]]; then at=\${at# help}; fi
  case "$at " in
${lines(positions.map(found))}
  esac
  if [[ $word == -* ]]; then next="$options ${wordsOf(everywhere)}"; fi
  COMPREPLY=($(compgen -W "$next" -- "$word"))
}
# Completes file names where there is nothing else.
complete -o default -F _refdesk refdesk`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const described = (choices: readonly Choice[]): string =>
  choices.map(({ word, help }) => quoted(`${word}:${help.replaceAll(':', '\\:')}`)).join(' ')

function zsh(positions: readonly Position[], values: Values): string {
  const chosen = ([name, choices]: Chosen): string => `    (--${name}) compadd -- ${choices.join(' ')}; return ;;`
  const found = (position: Position): string =>
    `    (${pattern(position)}) next=(${described(position.next)}) options=(${described(choicesOf(position.options))}) ;;`
  return `#compdef refdesk
# Completion of refdesk in zsh. In ~/.zshrc, after compinit: source <(refdesk completion zsh)
_refdesk() {
  local before=\${words[CURRENT - 1]} at= skip= each
  local -a next options
  if [[ $PREFIX == --*=* ]]; then before=\${PREFIX%%=*}; compset -P '*='; fi
  case $before in
${lines(values.choices.map(chosen))}
    (${values.all.join('|')}) _files; return ;;
  esac
  for each in "\${(@)words[2,CURRENT - 1]}"; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case $each in
      (${values.all.join('|')}) skip=yes ;;
      (-*) ;;
      (*) at="$at $each" ;;
    esac
  done
  if [[ $at == ' help '* ]]; then at=\${at# help}; fi
  case "$at " in
${lines(positions.map(found))}
  esac
  options+=(${described(everywhere)})
  if [[ $PREFIX == -* ]]; then _describe -o option options
  elif (( $#next )); then _describe command next
  else _files; fi
}
if [[ $funcstack[1] == _refdesk ]]; then _refdesk "$@"; else compdef _refdesk refdesk; fi`
}

function fish(positions: readonly Position[], values: Values): string {
  const choices = new Map(values.choices)
  const help = (text: string): string => `-d ${quoted(text).replaceAll("'\\''", "\\'")}`
  const when = ({ at, isCommand }: Position): string => `-n '__refdesk_is "${at}${isCommand ? ' *' : ''}"'`
  const taken = (option: Option): string => {
    const values = choices.get(option.name())
    return values ? ` -x -a '${values.join(' ')}'` : option.required ? ' -r' : ''
  }
  const ofPosition = (position: Position): string[] => [
    ...position.next.map((one) => `complete -c refdesk ${when(position)} -f -a '${one.word}' ${help(one.help)}`),
    ...position.options.map(
      (one) => `complete -c refdesk ${when(position)} -l ${one.name()}${taken(one)} ${help(one.description)}`,
    ),
  ]
  return `# Completion of refdesk in fish: refdesk completion fish > ~/.config/fish/completions/refdesk.fish
function __refdesk_is
  set -l at
  set -l skip
  for each in (commandline -opc)[2..-1]
    if set -q skip[1]
      set -e skip[1]
      continue
    end
    switch $each
      case ${values.all.join(' ')}
        set skip yes
      case '-*'
      case '*'
        set -a at $each
    end
  end
  if test "$at[1]" = help; and set -q at[2]
    set -e at[1]
  end
  string match -q -- $argv[1] "$at" "$at "
end
complete -c refdesk -l help ${help('show help')}
${lines(settings.map((one) => `complete -c refdesk -l ${flagOf(one.variable)} -r ${help(one.help)}`))}
${lines(positions.flatMap(ofPosition))}`
}
