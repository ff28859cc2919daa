// The command palette: finds instruments, exchanges, events, apps, pages and actions. Opens with Ctrl+K, ⌘K, / or the search field.
const field = document.querySelector('[data-palette]')
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const waitMs = 120
let dialog
let input
let list
let status
let timer
let running = new AbortController()
let options = []
let current = -1
/** What the shown results are for; Enter before they are shown waits for them. */
let shownFor
let runsFirst = false

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function build() {
  list = element('div', { id: 'palette-list', role: 'listbox', ariaLabel: 'Results' })
  status = element('p', { className: 'palette-status', role: 'status' })
  input = element('input', { type: 'text', role: 'combobox', ariaLabel: 'Search or jump to', autocomplete: 'off' })
  input.placeholder = 'Name, symbol, ISIN, Uic, app, page or action'
  input.maxLength = 100
  input.spellcheck = false
  for (const [name, value] of [
    ['aria-controls', 'palette-list'],
    ['aria-expanded', 'true'],
    ['aria-autocomplete', 'list'],
  ])
    input.setAttribute(name, value)
  const hint = element('p', { className: 'palette-foot' })
  hint.append(key('↑'), key('↓'), ' choose  ', key('Enter'), ' open  ', key('Esc'), ' close  ', key('?'), ' all keys')
  dialog = element('dialog', { className: 'palette', ariaLabel: 'Command palette' }, input, list, status, hint)
  input.addEventListener('input', later)
  dialog.addEventListener('keydown', press)
  dialog.addEventListener('close', () => running.abort())
  // A click beside the dialog hits its backdrop.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  list.addEventListener('click', choose)
  document.body.append(dialog)
}

const key = (text) => element('kbd', { textContent: text })

function open(text = '') {
  if (!dialog) build()
  if (dialog.open) return
  input.value = text
  clear()
  runsFirst = false
  dialog.showModal()
  input.focus()
  find()
}

function later() {
  runsFirst = false
  list.ariaBusy = 'true'
  clearTimeout(timer)
  timer = setTimeout(find, waitMs)
}

async function find() {
  list.ariaBusy = 'true'
  clearTimeout(timer)
  running.abort()
  running = new AbortController()
  const { signal } = running
  const query = input.value
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    const url = `/console/find?${new URLSearchParams({ q: query })}`
    const response = await fetch(url, { redirect: 'manual', signal: limited })
    if (signal.aborted) return
    if (response.type === 'opaqueredirect') return show([signInGroup()])
    if (!response.ok)
      return fail(response.status === 429 ? 'Too many searches. Try again shortly.' : 'Try again shortly.')
    const { groups, selectsFirst } = await response.json()
    if (signal.aborted) return
    show(groups, selectsFirst)
    shownFor = query
    const chosen = options[current]?.item
    if (runsFirst && chosen && mayRunUnseen(chosen, query)) run(chosen, false)
    runsFirst = false
  } catch {
    if (!signal.aborted) fail('The service could not be reached.')
  }
}

/** An action that changes something must be named: by two words of its beginning or as a whole. */
function mayRunUnseen({ name, post }, query) {
  const [own, wanted] = [name.toLowerCase(), query.trim().toLowerCase()]
  return !post || own === wanted || (own.startsWith(wanted) && /\s/.test(wanted))
}

function signInGroup() {
  const next = encodeURIComponent(location.pathname + location.search)
  return { title: 'Actions', items: [{ name: 'Sign in', href: `/console/login?next=${next}` }] }
}

/** Results of an earlier query must not be taken for those of this one. */
function clear() {
  show([])
  say('')
  shownFor = undefined
}

function fail(text) {
  clear()
  say(text)
}

function say(text) {
  list.ariaBusy = 'false'
  status.textContent = text
}

function show(groups, selectsFirst = true) {
  options = []
  list.replaceChildren(...groups.map(groupOf))
  const count = options.length
  say(count === 0 ? 'Nothing found.' : '')
  select(count > 0 && selectsFirst ? 0 : -1)
}

function groupOf({ title, items }, index) {
  const head = element('p', { className: 'palette-title', id: `palette-${index}`, textContent: title })
  const group = element('div', { role: 'group' }, head)
  group.setAttribute('aria-labelledby', head.id)
  for (const item of items) {
    const option = element('div', { role: 'option', id: `option-${options.length}`, className: 'palette-item' })
    option.append(element('span', { textContent: item.name }))
    if (item.note) option.append(element('span', { className: 'quiet', textContent: item.note }))
    option.item = item
    options.push(option)
    group.append(option)
  }
  return group
}

function select(index) {
  options[current]?.removeAttribute('aria-selected')
  current = index
  const option = options[index]
  if (!option) return input.removeAttribute('aria-activedescendant')
  option.setAttribute('aria-selected', 'true')
  input.setAttribute('aria-activedescendant', option.id)
  option.scrollIntoView({ block: 'nearest' })
}

function press(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step && options.length > 0) {
    event.preventDefault()
    const from = current < 0 && step < 0 ? 0 : current
    select((from + step + options.length) % options.length)
  } else if (event.key === 'Enter') {
    event.preventDefault()
    if (shownFor !== input.value) {
      find()
      runsFirst = true
    } else if (options[current]) run(options[current].item, event.ctrlKey || event.metaKey)
  } else if (event.key === '?' && input.value === '') {
    event.preventDefault()
    dialog.close()
    document.dispatchEvent(new CustomEvent('refdesk:keys'))
  }
}

function choose({ target, ctrlKey, metaKey }) {
  const option = target.closest('[role=option]')
  if (option) run(option.item, ctrlKey || metaKey)
}

function run({ href, post, fields = {} }, inNewTab) {
  if (href && inNewTab) return window.open(href, '_blank', 'noopener')
  dialog.close()
  if (href) return location.assign(href)
  const form = element('form', { method: 'post', action: post, hidden: true })
  const token = document.querySelector('[name=form_token]')?.value ?? ''
  const sent = { next: location.pathname + location.search, ...fields, form_token: token }
  for (const [name, value] of Object.entries(sent)) form.append(element('input', { type: 'hidden', name, value }))
  document.body.append(form)
  form.submit()
}

if (field) {
  document.querySelector('[data-palette-key]').textContent = isApple ? '⌘K' : 'Ctrl K'
  field.addEventListener('click', () => open(field.value))
  field.addEventListener('input', () => {
    open(field.value)
    field.value = ''
  })
  document.addEventListener('refdesk:palette', () => open())
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(isApple ? event.metaKey : event.ctrlKey) || event.altKey) return
    event.preventDefault()
    if (dialog?.open) dialog.close()
    else open()
  })
}
