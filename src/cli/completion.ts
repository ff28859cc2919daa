import { flagOf, settings } from '../config.ts'
import type { Command, Option } from './command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

/** What may be written next, and what it means. */
type Choice = Readonly<{ word: string; help: string }>
/** A place on the command line: after the words of a group, or of a command. */
type Place = Readonly<{ at: string; isCommand: boolean; next: readonly Choice[]; options: readonly Option[] }>

export function completionScript(shell: string, commands: readonly Command[]): string {
  const script = { bash, zsh, fish }[shell]
  if (!script) throw new Error(`There is no completion for ${shell}; there is for ${shells.join(', ')}.`)
  return script(placesOf(commands), valuesOf(commands))
}

/** Every place, the longer ones first: of those that a command line begins with, the first is the one. */
function placesOf(commands: readonly Command[]): Place[] {
  const places = commands.map(({ name, words, options = [] }): Place => {
    const choices = (words?.choices ?? []).map((word) => ({ word, help: words?.name.toLowerCase() ?? '' }))
    const next = name === 'help' ? [...nextIn('', commands), ...choices] : choices
    return { at: name, isCommand: true, next, options }
  })
  const beginnings = commands.flatMap(({ name }) => {
    const words = name.split(' ')
    return words.map((_, count) => words.slice(0, count).join(' '))
  })
  const groups = [...new Set(beginnings)].map(
    (at): Place => ({ at, isCommand: false, next: nextIn(at, commands), options: [] }),
  )
  return [...places, ...groups].sort((one, other) => other.at.length - one.at.length)
}

/** The words that may follow those of a group; the first ones, where there are none before. */
function nextIn(at: string, commands: readonly Command[]): Choice[] {
  const start = at === '' ? '' : `${at} `
  const found = new Map<string, string>()
  for (const { name, summary } of commands) {
    if (!name.startsWith(start)) continue
    const [word = '', ...more] = name.slice(start.length).split(' ')
    if (more.length === 0) found.set(word, summary)
    else if (!found.has(word)) found.set(word, `commands on ${word}`)
  }
  return [...found].map(([word, help]) => ({ word, help }))
}

/** What an option's value may be, wherever it stands: options of one name mean the same everywhere. */
type Values = Readonly<{ all: readonly string[]; choices: readonly Chosen[] }>
type Chosen = readonly [option: string, choices: readonly string[]]

function valuesOf(commands: readonly Command[]): Values {
  const options = commands.flatMap(({ options = [] }) => options).filter(({ value }) => value !== undefined)
  const all = [...options.map(({ name }) => name), ...settings.map(({ variable }) => flagOf(variable))]
  const choices = options.flatMap(({ name, choices }) => (choices ? [[name, choices] as const] : []))
  return { all: [...new Set(all)].map((name) => `--${name}`), choices }
}

const everywhere: readonly Choice[] = [
  { word: '--help', help: 'what it does and takes' },
  ...settings.map(({ variable, help }) => ({ word: `--${flagOf(variable)}`, help })),
]
const choicesOf = (options: readonly Option[]): Choice[] =>
  options.map(({ name, help }) => ({ word: `--${name}`, help }))
const wordsOf = (choices: readonly Choice[]): string => choices.map(({ word }) => word).join(' ')
const lines = (all: readonly string[]): string => all.join('\n')

/** As a pattern of the words before it, with a blank around each; after those of a command there may be others. */
const pattern = ({ at, isCommand }: Place): string => (at === '' ? "' '" : `' ${at} '${isCommand ? '*' : ''}`)

function bash(places: readonly Place[], values: Values): string {
  const chosen = ([name, choices]: Chosen): string =>
    `    --${name}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`
  const found = (place: Place): string =>
    `    ${pattern(place)}) next='${wordsOf(place.next)}' options='${wordsOf(choicesOf(place.options))}' ;;`
  return `# Completion of refdesk in bash. In ~/.bashrc: source <(refdesk completion bash)
_refdesk() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} at= skip= each next= options=
  # Bash takes --kind=x apart into three words.
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
${lines(places.map(found))}
  esac
  if [[ $word == -* ]]; then next="$options ${wordsOf(everywhere)}"; fi
  COMPREPLY=($(compgen -W "$next" -- "$word"))
}
# Where there is nothing to choose from, files.
complete -o default -F _refdesk refdesk`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const described = (choices: readonly Choice[]): string =>
  choices.map(({ word, help }) => quoted(`${word}:${help.replaceAll(':', '\\:')}`)).join(' ')

function zsh(places: readonly Place[], values: Values): string {
  const chosen = ([name, choices]: Chosen): string => `    (--${name}) compadd -- ${choices.join(' ')}; return ;;`
  const found = (place: Place): string =>
    `    (${pattern(place)}) next=(${described(place.next)}) options=(${described(choicesOf(place.options))}) ;;`
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
${lines(places.map(found))}
  esac
  options+=(${described(everywhere)})
  if [[ $PREFIX == -* ]]; then _describe -o option options
  elif (( $#next )); then _describe command next
  else _files; fi
}
if [[ $funcstack[1] == _refdesk ]]; then _refdesk "$@"; else compdef _refdesk refdesk; fi`
}

function fish(places: readonly Place[], values: Values): string {
  const choices = new Map(values.choices)
  const help = (text: string): string => `-d ${quoted(text).replaceAll("'\\''", "\\'")}`
  const when = ({ at, isCommand }: Place): string => `-n '__refdesk_is "${at}${isCommand ? ' *' : ''}"'`
  const taken = ({ name, value }: Option): string =>
    choices.has(name) ? ` -x -a '${choices.get(name)?.join(' ')}'` : value === undefined ? '' : ' -r'
  const ofPlace = (place: Place): string[] => [
    ...place.next.map((one) => `complete -c refdesk ${when(place)} -f -a '${one.word}' ${help(one.help)}`),
    ...place.options.map((one) => `complete -c refdesk ${when(place)} -l ${one.name}${taken(one)} ${help(one.help)}`),
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
complete -c refdesk -l help ${help('what it does and takes')}
${lines(settings.map((one) => `complete -c refdesk -l ${flagOf(one.variable)} -r ${help(one.help)}`))}
${lines(places.flatMap(ofPlace))}`
}
