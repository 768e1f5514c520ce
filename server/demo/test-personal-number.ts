/**
 * A personal number from the official test series: the date, serial 238 and the Luhn digit.
 *
 * @param born eight digits, YYYYMMDD
 */
export function testPersonalNumber(born: string): string {
  const nine = `${born.slice(2)}238`
  const sum = [...nine].reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + Math.floor(doubled / 10) + (doubled % 10)
  }, 0)
  return `${born}238${(10 - (sum % 10)) % 10}`
}
