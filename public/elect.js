// Shows what an election leads to while amounts are typed. The server sends what one unit leads to.
const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 8 })
const money = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 })

function text({ kind, value, unit, note }, amount) {
  const size = Math.abs(value * amount)
  const figure =
    kind === 'cash' ? money.format(size).replace(/\.\d$/, '$&0') : numbers.format(Number(size.toPrecision(12)))
  return `${value < 0 ? '−' : '+'}${figure} ${unit}${note === '' ? '' : ` ${note}`}`
}

/** Whether the amount is within the limits of its option. */
function isWithin(amount, { min = 0, max = Number.POSITIVE_INFINITY, multiple = 0 }) {
  const parts = multiple > 0 ? amount / multiple : 0
  return amount >= min && amount <= max && Math.abs(parts - Math.round(parts)) < 1e-9
}

for (const output of document.querySelectorAll('output[data-effect]')) {
  const input = output.parentElement.querySelector('input[type="number"]')
  const movements = JSON.parse(output.dataset.effect)
  const limits = JSON.parse(output.dataset.limits)
  input.addEventListener('input', () => {
    const typed = Math.abs(Number(input.value))
    const amount = typed || Math.abs(Number(output.dataset.held))
    const effect = movements.map((movement) => text(movement, amount)).join(', ')
    const isShown = typed === 0 ? input.validity.valid : isWithin(typed, limits)
    output.textContent = isShown ? `For ${numbers.format(amount)}${output.dataset.bound}: ${effect}` : ''
  })
}

// After the browser has gone to the fragment of the form, which takes the focus away.
addEventListener('load', () =>
  requestAnimationFrame(() => {
    document.querySelector('#elect [aria-invalid="true"]')?.focus()
  }),
)
