// Shows what an election leads to while amounts are typed. The server sends what one unit leads to.
const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 8 })
const money = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 })

function text({ kind, value, unit, note }, amount) {
  const size = Math.abs(value * amount)
  const figure =
    kind === 'cash' ? money.format(size).replace(/\.\d$/, '$&0') : numbers.format(Number(size.toPrecision(12)))
  return `${value < 0 ? '−' : '+'}${figure} ${unit}${note === '' ? '' : ` ${note}`}`
}

for (const output of document.querySelectorAll('output[data-effect]')) {
  const input = output.parentElement.querySelector('input[type="number"]')
  const movements = JSON.parse(output.dataset.effect)
  input.addEventListener('input', () => {
    const amount = Math.abs(Number(input.value)) || Math.abs(Number(output.dataset.held))
    const effect = movements.map((movement) => text(movement, amount)).join(', ')
    output.textContent = `For ${numbers.format(amount)}${output.dataset.bound}: ${effect}`
  })
}
